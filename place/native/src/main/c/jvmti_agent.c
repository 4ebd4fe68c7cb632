/*
 * The JVM's side of the agent; the only file that knows jvmti.h.
 *
 * ThreadStart and ThreadEnd need no capability, are raised by the thread itself (so that its
 * kernel thread is the caller), give the complete name and not the 15 characters that the kernel
 * keeps, and can be enabled late, in a library that was loaded by System.load. Virtual threads
 * raise other events, which are left alone: they run on a carrier, and binding there would bind
 * the carrier.
 *
 * There is no event for a new name. But a thread that renames itself calls the native method that
 * tells the kernel (java.lang.Thread.setNativeName), and an agent that is there from the JVM's
 * start sees that method bound to its function, which it may replace (NativeMethodBind). Nothing
 * need be asked at intervals, and a thread is bound in the moment that it has its name.
 *
 * See https://docs.oracle.com/en/java/javase/17/docs/specs/jvmti.html#ThreadStart.
 */
#include "agent.h"

#include "newborn.h"
#include "whole_domain.h"

#include <errno.h>
#include <jvmti.h>
#include <pthread.h>
#include <string.h>

/* Lives as long as the JVM; the library is never unloaded (linked with -z nodelete). */
static jvmtiEnv *environment;
static pthread_mutex_t environment_lock = PTHREAD_MUTEX_INITIALIZER;

/* JDK 21 and later make the threads of the default scheduler of virtual threads in a group of this
 * name (java.lang.VirtualThread, jdk.internal.misc.CarrierThread). Their own names count the pools
 * of the program, too. */
static bool is_carrier(jvmtiEnv *jvmti, jthreadGroup group) {
    jvmtiThreadGroupInfo info = {0};
    if (group == NULL || !agent_looks_for_carriers() ||
            (*jvmti)->GetThreadGroupInfo(jvmti, group, &info) != JVMTI_ERROR_NONE) {
        return false;
    }
    bool carrier = info.name != NULL && strcmp(info.name, "CarrierThreads") == 0;
    (*jvmti)->Deallocate(jvmti, (unsigned char *)info.name);
    return carrier;
}

static void JNICALL on_thread_start(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread) {
    (void)jni;
    jvmtiThreadInfo info = {0};
    jvmtiError result = (*jvmti)->GetThreadInfo(jvmti, thread, &info);
    if (result != JVMTI_ERROR_NONE) {
        if (result == JVMTI_ERROR_OUT_OF_MEMORY) {
            agent_thread_unnamed();
        }
        return;
    }
    agent_thread_started(info.name == NULL ? "" : info.name, is_carrier(jvmti, info.thread_group));
    (*jvmti)->Deallocate(jvmti, (unsigned char *)info.name);
}

/* Exported by HotSpot's libjvm.so; by a weak name as in vm_structs.h. */
extern __attribute__((weak, visibility("default"))) void JNICALL JVM_SetNativeThreadName(
        JNIEnv *jni, jobject thread, jstring name);

static void JNICALL set_native_name(JNIEnv *jni, jobject thread, jstring name) {
    jvmtiThreadInfo info = {0};
    jthread current = NULL;
    JVM_SetNativeThreadName(jni, thread, name);
    /* Until JDK 20 it is called for other threads, too, and does nothing then. */
    if ((*environment)->GetCurrentThread(environment, &current) != JVMTI_ERROR_NONE ||
            !(*jni)->IsSameObject(jni, current, thread) ||
            (*environment)->GetThreadInfo(environment, thread, &info) != JVMTI_ERROR_NONE) {
        return;
    }
    agent_thread_renamed(info.name == NULL ? "" : info.name);
    (*environment)->Deallocate(environment, (unsigned char *)info.name);
}

/* Before the JVM's classes have names that could be asked for: the function tells which method it
 * is. Another agent may have put its own in its place; then names are seen at a start alone. */
static void JNICALL on_native_method_bind(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread,
        jmethodID method, void *address, void **replacement) {
    (void)jvmti;
    (void)jni;
    (void)thread;
    (void)method;
    if (address == (void *)JVM_SetNativeThreadName) {
        *replacement = (void *)set_native_name;
        agent_follows_names();
    }
}

static void JNICALL on_thread_end(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread) {
    (void)jvmti;
    (void)jni;
    (void)thread;
    agent_thread_ended();
}

/* Later the method has its function. */
static void follow_names(jvmtiEnv *jvmti) {
    jvmtiPhase phase;
    jvmtiCapabilities wanted = {.can_generate_native_method_bind_events = 1};
    if (JVM_SetNativeThreadName != NULL && (*jvmti)->GetPhase(jvmti, &phase) == JVMTI_ERROR_NONE &&
            phase == JVMTI_PHASE_ONLOAD &&
            (*jvmti)->AddCapabilities(jvmti, &wanted) == JVMTI_ERROR_NONE) {
        (*jvmti)->SetEventNotificationMode(
                jvmti, JVMTI_ENABLE, JVMTI_EVENT_NATIVE_METHOD_BIND, NULL);
    }
}

/* Exported by HotSpot's libjvm.so. */
extern __attribute__((weak, visibility("default"))) jint JNICALL JVM_ActiveProcessorCount(void);

static JavaVM *machine;

int jvm_processors(void) {
    void *jni;
    bool java = machine != NULL && (*machine)->GetEnv(machine, &jni, JNI_VERSION_1_8) == JNI_OK;
    return java && JVM_ActiveProcessorCount != NULL ? JVM_ActiveProcessorCount() : 0;
}

void jvm_is(void *java_vm) {
    machine = java_vm;
}

static void JNICALL on_vm_init(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread) {
    (void)jvmti;
    (void)thread;
    agent_hold_domain();
    calls_give_domain(machine, jni);
}

/* There may be no Java yet. */
static void give_processes_the_domain(JavaVM *vm, jvmtiEnv *jvmti) {
    jvmtiPhase phase;
    JNIEnv *jni;
    machine = vm;
    if ((*jvmti)->GetPhase(jvmti, &phase) != JVMTI_ERROR_NONE) {
        return;
    }
    if (phase != JVMTI_PHASE_LIVE) {
        (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_VM_INIT, NULL);
    } else if ((*vm)->GetEnv(vm, (void **)&jni, JNI_VERSION_1_8) == JNI_OK) {
        calls_give_domain(vm, jni);
    }
}

static jvmtiError enable(jvmtiEnv *jvmti) {
    jvmtiEventCallbacks callbacks = {.VMInit = on_vm_init,
            .ThreadStart = on_thread_start,
            .ThreadEnd = on_thread_end,
            .NativeMethodBind = on_native_method_bind};
    jvmtiError result = (*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof callbacks);
    if (result == JVMTI_ERROR_NONE) {
        result = (*jvmti)->SetEventNotificationMode(
                jvmti, JVMTI_ENABLE, JVMTI_EVENT_THREAD_START, NULL);
    }
    if (result == JVMTI_ERROR_NONE) {
        result = (*jvmti)->SetEventNotificationMode(
                jvmti, JVMTI_ENABLE, JVMTI_EVENT_THREAD_END, NULL);
    }
    return result;
}

static int enable_once(JavaVM *vm, struct error_text *error) {
    jvmtiEnv *jvmti;
    if (environment != NULL) {
        return 0;
    }
    jint found = (*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_1_2);
    if (found != JNI_OK) {
        return error_set(
                error, ENOTSUP, "thread rules need JVMTI, which this JVM refuses (%d)", (int)found);
    }
    jvmtiError result = enable(jvmti);
    if (result != JVMTI_ERROR_NONE) {
        (*jvmti)->DisposeEnvironment(jvmti);
        return error_set(
                error, ENOTSUP, "cannot watch the start of threads: JVMTI error %d", (int)result);
    }
    environment = jvmti;
    follow_names(jvmti);
    give_processes_the_domain(vm, jvmti);
    return 0;
}

int thread_events_enable(void *java_vm, struct error_text *error) {
    pthread_mutex_lock(&environment_lock);
    int result = java_vm == NULL ? error_set(error, ENOTSUP, "there is no JVM")
                                 : enable_once(java_vm, error);
    pthread_mutex_unlock(&environment_lock);
    return result;
}

static void JNICALL on_birth(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread) {
    (void)jvmti;
    (void)jni;
    (void)thread;
    const struct index_set *domain = whole_domain_now();
    if (domain != NULL) {
        newborn_self(domain);
    }
}

int thread_births_enable(void *java_vm) {
    JavaVM *vm = java_vm;
    jvmtiEnv *jvmti;
    jvmtiEventCallbacks callbacks = {.ThreadStart = on_birth};
    if ((*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_1_2) != JNI_OK) {
        return -ENOTSUP;
    }
    if ((*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof callbacks) != JVMTI_ERROR_NONE ||
            (*jvmti)->SetEventNotificationMode(
                    jvmti, JVMTI_ENABLE, JVMTI_EVENT_THREAD_START, NULL) != JVMTI_ERROR_NONE) {
        (*jvmti)->DisposeEnvironment(jvmti);
        return -ENOTSUP;
    }
    return 0;
}

/* One replacement at a time. */
static struct {
    pthread_mutex_t lock;
    jmethodID method;
    void *function;
    void *original;
} replaced = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void JNICALL on_replaced_method_bind(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread,
        jmethodID method, void *address, void **replacement) {
    (void)jvmti;
    (void)jni;
    (void)thread;
    if (method == replaced.method) {
        replaced.original = address;
        *replacement = replaced.function;
    }
}

void *native_method_replace(void *java_vm, void *method, void *function, void (*call)(void *jni)) {
    JavaVM *vm = java_vm;
    JNIEnv *jni;
    jvmtiEnv *jvmti;
    if (vm == NULL || (*vm)->GetEnv(vm, (void **)&jni, JNI_VERSION_1_8) != JNI_OK ||
            (*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_1_2) != JNI_OK) {
        return NULL;
    }
    jvmtiCapabilities wanted = {.can_generate_native_method_bind_events = 1};
    jvmtiEventCallbacks callbacks = {.NativeMethodBind = on_replaced_method_bind};
    pthread_mutex_lock(&replaced.lock);
    replaced.method = method;
    replaced.function = function;
    replaced.original = NULL;
    if ((*jvmti)->AddCapabilities(jvmti, &wanted) == JVMTI_ERROR_NONE &&
            (*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof callbacks) == JVMTI_ERROR_NONE &&
            (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_NATIVE_METHOD_BIND,
                    NULL) == JVMTI_ERROR_NONE) {
        call(jni);
    }
    (*jvmti)->DisposeEnvironment(jvmti);
    void *original = replaced.original;
    pthread_mutex_unlock(&replaced.lock);
    return original;
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    (void)reserved;
    return agent_load(vm, options) < 0 ? JNI_ERR : JNI_OK;
}

JNIEXPORT jint JNICALL Agent_OnAttach(JavaVM *vm, char *options, void *reserved) {
    (void)reserved;
    return agent_attach(vm, options) < 0 ? JNI_ERR : JNI_OK;
}
