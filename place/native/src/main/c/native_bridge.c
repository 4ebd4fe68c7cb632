/*
 * The boundary to org.berth.binding.internal.NativeBridge: unpack, call, pack.
 *
 * The only file that knows jni.h. Every function returns a value >= 0 or -errno; Java makes the
 * exception, because only Java knows what the user wanted. No Java_* symbol is exported: the
 * functions are registered when the library is loaded, so that a wrong signature is found then. It
 * is long because there is no second such file; what it calls is elsewhere.
 */
#include "agent.h"
#include "agent_state.h"
#include "assignment.h"
#include "cpu_bind.h"
#include "domain_claim.h"
#include "hwloc_xml.h"
#include "lease_watches.h"
#include "ledger.h"
#include "ledger_files.h"
#include "memory_bind.h"
#include "newborn.h"
#include "socket_cpu.h"
#include "ucx_host.h"
#include "vm_structs.h"
#include "whole_domain.h"

#include <errno.h>
#include <jni.h>
#include <link.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#define BRIDGE_CLASS "org/berth/binding/internal/NativeBridge"

/* Room for 8192 CPUs, the maximum that Linux can be built for; larger masks use the heap. */
enum { STACK_WORDS = 128, REASON_SIZE = 512 };

_Static_assert(sizeof(jlong) == sizeof(uint64_t), "a mask word is a Java long");

static JavaVM *java_vm;

/* A mask from a Java array: on the stack when it fits. */
struct array_mask {
    struct index_set set;
    uint64_t stack[STACK_WORDS];
};

/* A null array is an empty mask. */
static int mask_open(JNIEnv *env, jlongArray array, struct array_mask *mask) {
    jsize length = array == NULL ? 0 : (*env)->GetArrayLength(env, array);
    if (length > (jsize)INDEX_WORD_LIMIT) {
        return -EINVAL;
    }
    mask->set.words = mask->stack;
    mask->set.word_count = (size_t)length;
    if (length > STACK_WORDS) {
        mask->set.words = malloc((size_t)length * sizeof(uint64_t));
        if (mask->set.words == NULL) {
            return -ENOMEM;
        }
    }
    if (length > 0) {
        (*env)->GetLongArrayRegion(env, array, 0, length, (jlong *)mask->set.words);
    }
    return 0;
}

static void mask_close(struct array_mask *mask) {
    if (mask->set.words != mask->stack) {
        free(mask->set.words);
    }
}

/* Fills the array and returns the number of words used; -EINVAL when they do not fit. */
static jint mask_store(JNIEnv *env, jlongArray array, const struct index_set *set) {
    jsize length = array == NULL ? 0 : (*env)->GetArrayLength(env, array);
    jsize used = (jsize)index_set_used_words(set);
    if (used > length) {
        return -EINVAL;
    }
    if (array == NULL) {
        return 0;
    }
    static const jlong zeros[16];
    (*env)->SetLongArrayRegion(env, array, 0, used, (const jlong *)set->words);
    for (jsize done = used; done < length;) {
        jsize chunk = length - done < 16 ? length - done : 16;
        (*env)->SetLongArrayRegion(env, array, done, chunk, zeros);
        done += chunk;
    }
    return used;
}

static jint JNICALL version(JNIEnv *env, jclass type) {
    (void)env;
    (void)type;
    return BERTH_INTERFACE_VERSION;
}

static jint JNICALL set_thread_cpus(JNIEnv *env, jclass type, jint tid, jlongArray array) {
    (void)type;
    struct array_mask mask;
    int result = mask_open(env, array, &mask);
    if (result == 0) {
        result = newborn_bind(tid, &mask.set);
        mask_close(&mask);
    }
    return result;
}

/* The fast path of machines with up to 64 CPUs: no array to unpack. The kernel takes the missing
 * words of a short mask for zero. */
static jint JNICALL set_thread_word(JNIEnv *env, jclass type, jint tid, jlong word) {
    (void)env;
    (void)type;
    uint64_t bits = (uint64_t)word;
    struct index_set cpus = {&bits, 1};
    return newborn_bind(tid, &cpus);
}

static jint JNICALL get_thread_cpus(JNIEnv *env, jclass type, jint tid, jlongArray array) {
    (void)type;
    uint64_t words[STACK_WORDS];
    int result = cpu_bind_get_words(tid, words, STACK_WORDS);
    if (result >= 0) {
        struct index_set cpus = {words, (size_t)result};
        return mask_store(env, array, &cpus);
    }
    if (result != -EINVAL) {
        return result;
    }
    struct index_set large = {0};
    result = cpu_bind_get(tid, &large);
    if (result == 0) {
        result = mask_store(env, array, &large);
    }
    index_set_free(&large);
    return result;
}

static jint JNICALL thread_id(JNIEnv *env, jclass type) {
    (void)env;
    (void)type;
    return current_thread_id();
}

/* 0 when the thread does not live: the field then holds no address. It is looked at again at the
 * end, for a thread that ends meanwhile takes its structure with it; another one never gets the
 * same Thread object. */
static jint JNICALL java_thread_id(JNIEnv *env, jclass type, jobject thread) {
    (void)type;
    if (thread == NULL) {
        return -EINVAL;
    }
    jclass threads = (*env)->FindClass(env, "java/lang/Thread");
    jfieldID field = threads == NULL ? NULL : (*env)->GetFieldID(env, threads, "eetop", "J");
    if (field == NULL) {
        (*env)->ExceptionClear(env);
        return -EOPNOTSUPP;
    }
    jlong address = (*env)->GetLongField(env, thread, field);
    int tid = address == 0 ? 0 : vm_structs_thread_id((uintptr_t)address);
    return (*env)->GetLongField(env, thread, field) == address ? tid : 0;
}

static jint JNICALL cpu(JNIEnv *env, jclass type) {
    (void)env;
    (void)type;
    return current_cpu();
}

/* Uses the channel's number as the JDK has it, which no public method returns; a class that is not
 * the JDK's own has none. A channel that is closed meanwhile gives another one's CPU at worst. */
static jint JNICALL incoming_cpu(JNIEnv *env, jclass type, jobject channel) {
    (void)type;
    if (channel == NULL) {
        return -EINVAL;
    }
    jmethodID number =
            (*env)->GetMethodID(env, (*env)->GetObjectClass(env, channel), "getFDVal", "()I");
    jint file = number == NULL ? -1 : (*env)->CallIntMethod(env, channel, number);
    if ((*env)->ExceptionCheck(env)) {
        (*env)->ExceptionClear(env);
        return -EOPNOTSUPP;
    }
    return socket_incoming_cpu(file);
}

static jint JNICALL set_memory_policy(JNIEnv *env, jclass type, jint mode, jlongArray array) {
    (void)type;
    struct array_mask mask;
    int result = mask_open(env, array, &mask);
    if (result == 0) {
        result = memory_policy_set(mode, &mask.set);
        mask_close(&mask);
    }
    return result;
}

static jint JNICALL get_memory_policy(JNIEnv *env, jclass type, jlongArray array) {
    (void)type;
    struct index_set nodes = {0};
    int policy = memory_policy_get(&nodes);
    if (policy >= 0) {
        int stored = mask_store(env, array, &nodes);
        policy = stored < 0 ? stored : policy;
    }
    index_set_free(&nodes);
    return policy;
}

static jint clamp(int64_t value) {
    return value > INT32_MAX ? INT32_MAX : (jint)value;
}

static jint JNICALL bind_range(JNIEnv *env, jclass type, jlong address, jlong length, jint mode,
        jlongArray array, jint flags) {
    (void)type;
    struct array_mask mask;
    if (length < 0) {
        return -EINVAL;
    }
    int64_t result = mask_open(env, array, &mask);
    if (result == 0) {
        result = memory_bind_range((uintptr_t)address, (uint64_t)length, mode, &mask.set, flags);
        mask_close(&mask);
    }
    return clamp(result);
}

static jint JNICALL range_nodes(
        JNIEnv *env, jclass type, jlong address, jlong length, jintArray array) {
    (void)type;
    if (length < 0 || array == NULL) {
        return -EINVAL;
    }
    size_t capacity = (size_t)(*env)->GetArrayLength(env, array);
    int32_t *nodes = malloc((capacity + 1) * sizeof *nodes);
    if (nodes == NULL) {
        return -ENOMEM;
    }
    int64_t count = memory_range_nodes((uintptr_t)address, (uint64_t)length, nodes, capacity);
    if (count > 0) {
        (*env)->SetIntArrayRegion(env, array, 0, (jsize)count, nodes);
    }
    free(nodes);
    return clamp(count);
}

static jint JNICALL range_policy(
        JNIEnv *env, jclass type, jlong address, jlong length, jlongArray array) {
    (void)type;
    if (length < 0) {
        return -EINVAL;
    }
    struct index_set nodes = {0};
    int policy = memory_range_policy((uintptr_t)address, (uint64_t)length, &nodes);
    if (policy >= 0) {
        int stored = mask_store(env, array, &nodes);
        policy = stored < 0 ? stored : policy;
    }
    index_set_free(&nodes);
    return policy;
}

static jlong JNICALL map_memory(JNIEnv *env, jclass type, jlong length) {
    (void)env;
    (void)type;
    return length < 0 ? -EINVAL : memory_map((uint64_t)length);
}

static jint JNICALL unmap_memory(JNIEnv *env, jclass type, jlong address, jlong length) {
    (void)env;
    (void)type;
    return length < 0 ? -EINVAL : memory_unmap((uintptr_t)address, (uint64_t)length);
}

static jint JNICALL discard_memory(JNIEnv *env, jclass type, jlong address, jlong length) {
    (void)env;
    (void)type;
    return length < 0 ? -EINVAL : memory_discard((uintptr_t)address, (uint64_t)length);
}

static jint JNICALL advise_huge_pages(JNIEnv *env, jclass type, jlong address, jlong length) {
    (void)env;
    (void)type;
    return length < 0 ? -EINVAL : memory_use_huge_pages((uintptr_t)address, (uint64_t)length);
}

static jobject JNICALL buffer_over(JNIEnv *env, jclass type, jlong address, jint length) {
    (void)type;
    return (*env)->NewDirectByteBuffer(env, (void *)(intptr_t)address, length);
}

static jint JNICALL page_bytes(JNIEnv *env, jclass type) {
    (void)env;
    (void)type;
    return (jint)sysconf(_SC_PAGESIZE);
}

static jint JNICALL migrate_pages(
        JNIEnv *env, jclass type, jint pid, jlongArray from, jlongArray to) {
    (void)type;
    struct array_mask source;
    struct array_mask target;
    int result = mask_open(env, from, &source);
    if (result < 0) {
        return result;
    }
    result = mask_open(env, to, &target);
    if (result == 0) {
        result = memory_migrate(pid, &source.set, &target.set);
        mask_close(&target);
    }
    mask_close(&source);
    return result;
}

static jlong JNICALL direct_buffer_address(JNIEnv *env, jclass type, jobject buffer) {
    (void)type;
    return buffer == NULL ? 0 : (jlong)(intptr_t)(*env)->GetDirectBufferAddress(env, buffer);
}

static jint JNICALL command(JNIEnv *env, jclass type, jstring text, jbyteArray array) {
    (void)type;
    if (text == NULL || array == NULL) {
        return -EINVAL;
    }
    jsize capacity = (*env)->GetArrayLength(env, array);
    char *reply = calloc(1, (size_t)capacity + 1);
    const char *characters = (*env)->GetStringUTFChars(env, text, NULL);
    int result = -ENOMEM;
    if (reply != NULL && characters != NULL) {
        result = agent_command(java_vm, characters, reply, (size_t)capacity);
        (*env)->SetByteArrayRegion(env, array, 0, capacity, (const jbyte *)reply);
    }
    if (characters != NULL) {
        (*env)->ReleaseStringUTFChars(env, text, characters);
    }
    free(reply);
    return result;
}

/* Puts a text into the caller's array; the rest of it stays as it is. */
static jint answer(JNIEnv *env, jbyteArray reply, const char *text, size_t length, jint result) {
    if ((size_t)(*env)->GetArrayLength(env, reply) < length) {
        return -ENOBUFS;
    }
    (*env)->SetByteArrayRegion(env, reply, 0, (jsize)length, (const jbyte *)text);
    return result;
}

/* What is to be known of the lease, and the lease as text; or the reason. */
static jint tell_lease(JNIEnv *env, int result, struct lease *lease, const struct error_text *error,
        jbyteArray reply) {
    char data[LEASE_TEXT_SIZE + sizeof error->text];
    struct text_buffer text = {.data = data, .capacity = sizeof data};
    if (result < 0) {
        text_append(&text, "%s\n", error->text);
    } else {
        text_append(&text, "warning %s\n", error->text);
        lease_write(lease, &text);
        lease_free(lease);
    }
    return answer(env, reply, data, strlen(data) + 1, result);
}

static jint claim_text(JNIEnv *env, const char *directory, const char *plan_text, const char *name,
        bool exclusive, jbyteArray reply) {
    struct error_text error = {"out of memory"};
    struct plan plan = {0};
    struct lease lease = {0};
    int result = plan_parse(&plan, plan_text, strlen(plan_text), &error);
    if (result == 0) {
        result = domain_claim_worker(&plan, directory, exclusive, name, &lease, &error);
    }
    plan_free(&plan);
    return tell_lease(env, result, &lease, &error, reply);
}

/* A terminated copy, to be freed. Names of files are bytes, which a Java string need not hold. */
static char *text_of(JNIEnv *env, jbyteArray bytes) {
    jsize length = (*env)->GetArrayLength(env, bytes);
    char *text = calloc(1, (size_t)length + 1);
    if (text != NULL) {
        (*env)->GetByteArrayRegion(env, bytes, 0, length, (jbyte *)text);
    }
    return text;
}

/* One byte for the outcome, and the text. An array that is too large for the heap is an exception.
 */
static jbyteArray outcome_of(JNIEnv *env, const struct hwloc_answer *answer) {
    jbyte outcome = (jbyte)answer->outcome;
    jsize length = answer->length < INT32_MAX ? (jsize)answer->length : 0;
    jbyteArray array = (*env)->NewByteArray(env, length + 1);
    if (array != NULL) {
        (*env)->SetByteArrayRegion(env, array, 0, 1, &outcome);
        (*env)->SetByteArrayRegion(env, array, 1, length, (const jbyte *)answer->text);
    }
    return array;
}

/* The texts are those of NativeBridge.describeMachine. */
static jbyteArray JNICALL describe_machine(
        JNIEnv *env, jclass type, jobjectArray texts, jlong flags, jint pid) {
    (void)type;
    enum { LIBRARY, FILTERS, WITHOUT, HIDDEN, DESCRIPTION, COUNT };
    char *words[COUNT] = {NULL};
    struct hwloc_answer answer = {.outcome = HWLOC_NO_MEMORY};
    bool complete = true;
    for (int i = 0; i < COUNT; i++) {
        jbyteArray bytes = (*env)->GetObjectArrayElement(env, texts, i);
        words[i] = bytes == NULL ? NULL : text_of(env, bytes);
        complete &= words[i] != NULL || i == DESCRIPTION;
        (*env)->DeleteLocalRef(env, bytes);
    }
    if (complete) {
        struct hwloc_wish wish = {
                .library = words[LIBRARY],
                .flags = (unsigned long)flags,
                .filters = words[FILTERS],
                .without = words[WITHOUT],
                .hidden = words[HIDDEN],
                .description = words[DESCRIPTION],
                .pid = pid,
        };
        hwloc_xml_read(&wish, &answer);
    }
    jbyteArray result = outcome_of(env, &answer);
    free(answer.text);
    for (int i = 0; i < COUNT; i++) {
        free(words[i]);
    }
    return result;
}

static jint JNICALL hwloc_version(JNIEnv *env, jclass type, jbyteArray library, jbyteArray reason) {
    (void)type;
    char text[REASON_SIZE] = "";
    char *name = text_of(env, library);
    int result = name == NULL ? -ENOMEM : hwloc_xml_version(name, text, sizeof text);
    free(name);
    return result < 0 ? answer(env, reason, text, strlen(text) + 1, result) : result;
}

static jint JNICALL ucp_version(JNIEnv *env, jclass type, jbyteArray reason) {
    (void)type;
    char text[REASON_SIZE] = "";
    int result = ucx_version(text, sizeof text);
    return result < 0 ? answer(env, reason, text, strlen(text) + 1, result) : result;
}

static jint JNICALL arm_ucx_worker(JNIEnv *env, jclass type, jlong worker) {
    (void)env;
    (void)type;
    return ucx_arm((uintptr_t)worker);
}

static jint JNICALL set_environment(JNIEnv *env, jclass type, jbyteArray name, jbyteArray value) {
    (void)type;
    char *name_text = text_of(env, name);
    char *value_text = text_of(env, value);
    int result = name_text == NULL || value_text == NULL ? -ENOMEM
                 : setenv(name_text, value_text, 0) < 0  ? -errno
                                                         : 0;
    free(name_text);
    free(value_text);
    return result;
}

static jint JNICALL poll_readable(JNIEnv *env, jclass type, jint file, jint timeout) {
    (void)env;
    (void)type;
    struct pollfd request = {.fd = file, .events = POLLIN};
    int result = poll(&request, 1, timeout);
    return result < 0 ? -errno : result;
}

static jlong JNICALL read_long(JNIEnv *env, jclass type, jlong address) {
    (void)env;
    (void)type;
    jlong value;
    memcpy(&value, (const void *)(uintptr_t)address, sizeof value);
    return value;
}

static void JNICALL copy_memory(JNIEnv *env, jclass type, jlong from, jlong to, jlong count) {
    (void)env;
    (void)type;
    memcpy((void *)(uintptr_t)to, (const void *)(uintptr_t)from, (size_t)count);
}

static jint JNICALL claim_lease(JNIEnv *env, jclass type, jbyteArray directory, jstring plan,
        jboolean exclusive, jbyteArray name, jbyteArray reply) {
    (void)type;
    if (directory == NULL || plan == NULL || name == NULL || reply == NULL) {
        return -EINVAL;
    }
    char *directory_text = text_of(env, directory);
    char *name_text = text_of(env, name);
    /* The last call that may leave an exception, after which there may be no other. */
    const char *plan_text = (*env)->GetStringUTFChars(env, plan, NULL);
    jint result = -ENOMEM;
    if (directory_text != NULL && plan_text != NULL && name_text != NULL) {
        result = claim_text(env, directory_text, plan_text, name_text, exclusive != 0, reply);
    }
    if (plan_text != NULL) {
        (*env)->ReleaseStringUTFChars(env, plan, plan_text);
    }
    free(directory_text);
    free(name_text);
    return result;
}

static jint JNICALL claim_domain(JNIEnv *env, jclass type, jbyteArray directory, jstring kind,
        jint number, jboolean exclusive, jbyteArray name, jbyteArray reply) {
    (void)type;
    char *directory_text = text_of(env, directory);
    char *name_text = text_of(env, name);
    const char *kind_text = (*env)->GetStringUTFChars(env, kind, NULL);
    jint result = -ENOMEM;
    if (directory_text != NULL && name_text != NULL && kind_text != NULL) {
        struct error_text error = {"out of memory"};
        struct lease lease = {0};
        int claimed = domain_claim(
                kind_text, number, exclusive != 0, directory_text, name_text, &lease, &error);
        result = tell_lease(env, claimed, &lease, &error, reply);
    }
    if (kind_text != NULL) {
        (*env)->ReleaseStringUTFChars(env, kind, kind_text);
    }
    free(directory_text);
    free(name_text);
    return result;
}

static jint JNICALL release_lease(JNIEnv *env, jclass type, jint file) {
    (void)env;
    (void)type;
    lease_watches_drop(file);
    return ledger_release(file);
}

static jint JNICALL leave_crowd(JNIEnv *env, jclass type, jint file, jbyteArray reply) {
    (void)type;
    struct error_text error = {""};
    struct lease lease = {0};
    int result = lease_watches_leave(file, &lease, &error);
    return result == 0 ? 0 : tell_lease(env, result, &lease, &error, reply);
}

static jint JNICALL ledger_sight(JNIEnv *env, jclass type, jbyteArray directory, jbyteArray reply) {
    (void)type;
    char sight[512];
    char *text = text_of(env, directory);
    if (text == NULL) {
        return -ENOMEM;
    }
    enum ledger_view view = ledger_view(text);
    ledger_view_text(view, text, sight, sizeof sight);
    free(text);
    return answer(env, reply, sight, strlen(sight) + 1, (jint)view);
}

static jint list_text(JNIEnv *env, const char *directory, jbyteArray reply) {
    struct error_text error;
    struct leases leases;
    unsigned unreadable;
    int result = ledger_list(directory, &leases, &unreadable, &error);
    if (result < 0) {
        return answer(env, reply, error.text, strlen(error.text) + 1, result);
    }
    struct text_buffer text = {0};
    /* The first time only the length is found. */
    for (int pass = 0; pass < 2 && (pass == 0 || text.data != NULL); pass++) {
        text.length = 0;
        text_append(&text, "unreadable %u\nwarning %s\n", unreadable, error.text);
        for (size_t i = 0; i < leases.count; i++) {
            lease_write(&leases.items[i], &text);
        }
        if (pass == 0) {
            text.capacity = text.length + 1;
            text.data = malloc(text.capacity);
        }
    }
    leases_free(&leases);
    jint length = text.data == NULL ? -ENOMEM : text_result(&text);
    length = length < 0 ? length : answer(env, reply, text.data, (size_t)length, length);
    free(text.data);
    return length;
}

static jint JNICALL list_leases(JNIEnv *env, jclass type, jbyteArray directory, jbyteArray reply) {
    (void)type;
    if (directory == NULL || reply == NULL) {
        return -EINVAL;
    }
    char *text = text_of(env, directory);
    jint result = text == NULL ? -ENOMEM : list_text(env, text, reply);
    free(text);
    return result;
}

static jint JNICALL lease_directory(JNIEnv *env, jclass type, jbyteArray reply) {
    (void)type;
    const char *name = lease_folder_name();
    return reply == NULL ? -EINVAL : answer(env, reply, name, strlen(name), (jint)strlen(name));
}

/* java.lang.Shutdown.beforeHalt, the first call of Runtime.exit and Runtime.halt: it exists for the
 * JVM's own records. Here it asks a Runnable first; what that throws, exit throws. */
static struct {
    jclass type;
    jmethodID before_halt;
    jobject hook;
    jmethodID run;
    void(JNICALL *original)(JNIEnv *, jclass);
} exits;

static void JNICALL before_halt(JNIEnv *env, jclass type) {
    /* The call that puts this function in place comes before the original is known. */
    if (exits.original == NULL) {
        return;
    }
    (*env)->CallVoidMethod(env, exits.hook, exits.run);
    if (!(*env)->ExceptionCheck(env)) {
        exits.original(env, type);
    }
}

static void call_before_halt(void *jni) {
    JNIEnv *env = jni;
    (*env)->CallStaticVoidMethod(env, exits.type, exits.before_halt);
}

/* A pending exception says what is missing. */
static jint JNICALL hook_exits(JNIEnv *env, jclass bridge, jobject hook) {
    (void)bridge;
    if (hook == NULL || exits.hook != NULL) {
        return -EINVAL;
    }
    jclass type = (*env)->FindClass(env, "java/lang/Shutdown");
    if (type == NULL) {
        return -ENOTSUP;
    }
    exits.before_halt = (*env)->GetStaticMethodID(env, type, "beforeHalt", "()V");
    jclass runnable =
            exits.before_halt == NULL ? NULL : (*env)->FindClass(env, "java/lang/Runnable");
    exits.run = runnable == NULL ? NULL : (*env)->GetMethodID(env, runnable, "run", "()V");
    if (exits.run == NULL) {
        return -ENOTSUP;
    }
    exits.type = (*env)->NewGlobalRef(env, type);
    exits.hook = (*env)->NewGlobalRef(env, hook);
    if (exits.type == NULL || exits.hook == NULL) {
        return -ENOMEM;
    }
    void *original = native_method_replace(
            java_vm, exits.before_halt, (void *)before_halt, call_before_halt);
    exits.original = (void(JNICALL *)(JNIEnv *, jclass))original;
    return original == NULL ? -ENOTSUP : 0;
}

/* java.lang.ProcessImpl.forkAndExec: a new process has the CPUs of the thread that starts it. */
typedef jint(JNICALL *fork_function)(JNIEnv *, jobject, jint, jbyteArray, jbyteArray, jbyteArray,
        jint, jbyteArray, jint, jbyteArray, jintArray, jboolean);

static struct {
    pthread_mutex_t lock;
    jobject process;
    jmethodID fork;
    _Atomic(fork_function) original;
} forks = {.lock = PTHREAD_MUTEX_INITIALIZER};

static jint JNICALL fork_and_exec(JNIEnv *env, jobject process, jint mode, jbyteArray helper,
        jbyteArray program, jbyteArray words, jint word_count, jbyteArray environment,
        jint variable_count, jbyteArray folder, jintArray streams, jboolean join_errors) {
    struct narrow_mask own;
    fork_function original = NULL;
    /* NULL for the moment in which this function is put in place: a process that another thread
     * starts then waits for it. The call that puts it there has no program. */
    while (program != NULL && (original = atomic_load(&forks.original)) == NULL) {
        sched_yield();
    }
    if (original == NULL) {
        return -1;
    }
    whole_domain_open(&own);
    jint pid = original(env, process, mode, helper, program, words, word_count, environment,
            variable_count, folder, streams, join_errors);
    whole_domain_close(&own);
    return pid;
}

static void call_fork(void *jni) {
    JNIEnv *env = jni;
    (*env)->CallIntMethod(
            env, forks.process, forks.fork, 0, NULL, NULL, NULL, 0, NULL, 0, NULL, NULL, JNI_FALSE);
}

/* Programs may have been started before: the JVM has to look for its function once more. */
static int replace_fork(JNIEnv *env) {
    jclass type = (*env)->FindClass(env, "java/lang/ProcessImpl");
    forks.fork = type == NULL
                         ? NULL
                         : (*env)->GetMethodID(env, type, "forkAndExec", "(I[B[B[BI[BI[B[IZ)I");
    forks.process = forks.fork == NULL ? NULL : (*env)->AllocObject(env, type);
    if (forks.process == NULL) {
        (*env)->ExceptionClear(env);
        return -ENOTSUP;
    }
    (*env)->UnregisterNatives(env, type);
    void *original = native_method_replace(java_vm, forks.fork, (void *)fork_and_exec, call_fork);
    (*env)->ExceptionClear(env);
    (*env)->DeleteLocalRef(env, forks.process);
    atomic_store(&forks.original, (fork_function)original);
    return original == NULL ? -ENOTSUP : 0;
}

/* The JDK's methods that load a native library. One that counts CPUs, or starts threads, while it
 * is loaded (libgomp, OpenBLAS) does so with those of the thread that loads it. */
typedef jboolean(JNICALL *load_with_jni_flag)(
        JNIEnv *, jclass, jobject, jstring, jboolean, jboolean, jboolean);
typedef jboolean(JNICALL *load_function)(JNIEnv *, jclass, jobject, jstring, jboolean, jboolean);
typedef jboolean(JNICALL *load_raw)(JNIEnv *, jclass, jobject, jstring);

static jboolean JNICALL load_on_17(JNIEnv *env, jclass type, jobject library, jstring name,
        jboolean builtin, jboolean jni, jboolean throws);
static jboolean JNICALL load_from_19(
        JNIEnv *env, jclass type, jobject library, jstring name, jboolean builtin, jboolean throws);
static jboolean JNICALL load_raw_library(JNIEnv *env, jclass type, jobject library, jstring name);

static struct load {
    const char *type;
    const char *name;
    const char *signature;
    void *function;
    _Atomic(void *) original;
} loads[] = {
        {"jdk/internal/loader/NativeLibraries", "load",
                "(Ljdk/internal/loader/NativeLibraries$NativeLibraryImpl;Ljava/lang/String;ZZZ)Z",
                (void *)load_on_17, NULL},
        {"jdk/internal/loader/NativeLibraries", "load",
                "(Ljdk/internal/loader/NativeLibraries$NativeLibraryImpl;Ljava/lang/String;ZZ)Z",
                (void *)load_from_19, NULL},
        {"jdk/internal/loader/RawNativeLibraries", "load0",
                "(Ljdk/internal/loader/RawNativeLibraries$RawNativeLibraryImpl;Ljava/lang/String;)"
                "Z",
                (void *)load_raw_library, NULL},
};

enum { LOAD_ON_17, LOAD_FROM_19, LOAD_RAW, LOADS };

/* NULL for the call that puts the function in place; others wait for that moment to pass. */
static void *original_load(int which, jobject library) {
    void *original = NULL;
    while (library != NULL && (original = atomic_load(&loads[which].original)) == NULL) {
        sched_yield();
    }
    return original;
}

static jboolean JNICALL load_on_17(JNIEnv *env, jclass type, jobject library, jstring name,
        jboolean builtin, jboolean jni, jboolean throws) {
    struct narrow_mask own;
    load_with_jni_flag original = (load_with_jni_flag)original_load(LOAD_ON_17, library);
    if (original == NULL) {
        return JNI_FALSE;
    }
    whole_domain_open(&own);
    jboolean loaded = original(env, type, library, name, builtin, jni, throws);
    whole_domain_close(&own);
    return loaded;
}

static jboolean JNICALL load_from_19(JNIEnv *env, jclass type, jobject library, jstring name,
        jboolean builtin, jboolean throws) {
    struct narrow_mask own;
    load_function original = (load_function)original_load(LOAD_FROM_19, library);
    if (original == NULL) {
        return JNI_FALSE;
    }
    whole_domain_open(&own);
    jboolean loaded = original(env, type, library, name, builtin, throws);
    whole_domain_close(&own);
    return loaded;
}

static jboolean JNICALL load_raw_library(JNIEnv *env, jclass type, jobject library, jstring name) {
    struct narrow_mask own;
    load_raw original = (load_raw)original_load(LOAD_RAW, library);
    if (original == NULL) {
        return JNI_FALSE;
    }
    whole_domain_open(&own);
    jboolean loaded = original(env, type, library, name);
    whole_domain_close(&own);
    return loaded;
}

/* What call_load calls: one replacement at a time, under the lock of forks. */
static struct {
    jclass type;
    jmethodID method;
    jstring name;
} loading;

/* Another thread may have had the JVM look for its own function in between. That one then fails to
 * load a file that is not there, without an exception. */
static void call_load(void *jni) {
    JNIEnv *env = jni;
    (*env)->CallStaticBooleanMethod(
            env, loading.type, loading.method, NULL, loading.name, JNI_FALSE, JNI_FALSE, JNI_FALSE);
}

static void replace_load(JNIEnv *env, struct load *load) {
    loading.type = (*env)->FindClass(env, load->type);
    loading.method = loading.type == NULL ? NULL
                                          : (*env)->GetStaticMethodID(
                                                    env, loading.type, load->name, load->signature);
    loading.name = loading.method == NULL ? NULL : (*env)->NewStringUTF(env, "/proc/self/no.so");
    if (loading.name == NULL) {
        /* A JDK of another version. */
        (*env)->ExceptionClear(env);
        return;
    }
    (*env)->UnregisterNatives(env, loading.type);
    void *original = native_method_replace(java_vm, loading.method, load->function, call_load);
    (*env)->ExceptionClear(env);
    (*env)->DeleteLocalRef(env, loading.name);
    atomic_store(&load->original, original);
}

void calls_give_domain(void *vm, void *jni) {
    pthread_mutex_lock(&forks.lock);
    java_vm = vm;
    if (forks.fork == NULL) {
        replace_fork(jni);
        for (int i = 0; i < LOADS; i++) {
            replace_load(jni, &loads[i]);
        }
    }
    pthread_mutex_unlock(&forks.lock);
}

/* What a holder of the domain wants for threads that appear in a bound one. */
enum { NEWBORN_THREADS = 1, NEWBORN_EVENTS = 2 };

static void *watch_newborns(void *nothing) {
    static const struct timespec pause = {.tv_nsec = NEWBORN_MILLIS * 1000000};
    prctl(PR_SET_NAME, "berth-newborns", 0, 0, 0);
    for (;;) {
        const struct index_set *domain = whole_domain_now();
        if (domain != NULL) {
            newborn_look(domain);
        }
        nanosleep(&pause, NULL);
    }
    return nothing;
}

/* Under the lock. */
static void care_for_newborns(jint wanted) {
    static bool watched;
    if ((wanted & NEWBORN_THREADS) == 0) {
        newborn_pause();
        return;
    }
    newborn_begin();
    if (!watched) {
        if ((wanted & NEWBORN_EVENTS) != 0) {
            thread_births_enable(java_vm);
        }
        watched = agent_thread_start(watch_newborns, NULL) == 0;
    }
}

/* What the JVM counts in the low 16 bits, and bits for new processes and for native libraries. */
enum { PROCESSES_HAVE_DOMAIN = 0x10000, LIBRARIES_HAVE_DOMAIN = 0x20000 };

static jint JNICALL hold_domain(JNIEnv *env, jclass type, jlongArray cpus, jint newborns) {
    (void)type;
    struct array_mask mask;
    jint result = mask_open(env, cpus, &mask);
    if (result < 0) {
        return result;
    }
    result = whole_domain_hold(&mask.set, jvm_processors);
    mask_close(&mask);
    calls_give_domain(java_vm, env);
    pthread_mutex_lock(&forks.lock);
    care_for_newborns(newborns);
    pthread_mutex_unlock(&forks.lock);
    if (result < 0) {
        return result;
    }
    result &= UINT16_MAX;
    result |= atomic_load(&forks.original) == NULL ? 0 : PROCESSES_HAVE_DOMAIN;
    result |= atomic_load(&loads[LOAD_ON_17].original) == NULL &&
                              atomic_load(&loads[LOAD_FROM_19].original) == NULL
                      ? 0
                      : LIBRARIES_HAVE_DOMAIN;
    return result;
}

static int count_additions(struct dl_phdr_info *info, size_t size, void *additions) {
    /* The C library may be older than the field. */
    if (size >= offsetof(struct dl_phdr_info, dlpi_adds) + sizeof info->dlpi_adds) {
        *(unsigned long long *)additions = info->dlpi_adds;
    }
    return 1;
}

/* How many shared libraries this process has loaded in its life. */
static jint JNICALL library_loads(JNIEnv *env, jclass type) {
    (void)env;
    (void)type;
    unsigned long long additions = 0;
    dl_iterate_phdr(count_additions, &additions);
    return clamp((int64_t)additions);
}

static void JNICALL release_domain(JNIEnv *env, jclass type) {
    (void)env;
    (void)type;
    whole_domain_release();
}

static const JNINativeMethod methods[] = {
        {"version", "()I", (void *)version},
        {"setThreadCpus", "(I[J)I", (void *)set_thread_cpus},
        {"setThreadCpus", "(IJ)I", (void *)set_thread_word},
        {"getThreadCpus", "(I[J)I", (void *)get_thread_cpus},
        {"currentThreadId", "()I", (void *)thread_id},
        {"javaThreadId", "(Ljava/lang/Thread;)I", (void *)java_thread_id},
        {"currentCpu", "()I", (void *)cpu},
        {"incomingCpu", "(Ljava/nio/channels/SocketChannel;)I", (void *)incoming_cpu},
        {"setMemoryPolicy", "(I[J)I", (void *)set_memory_policy},
        {"getMemoryPolicy", "([J)I", (void *)get_memory_policy},
        {"bindRange", "(JJI[JI)I", (void *)bind_range},
        {"rangeNodes", "(JJ[I)I", (void *)range_nodes},
        {"rangePolicy", "(JJ[J)I", (void *)range_policy},
        {"mapMemory", "(J)J", (void *)map_memory},
        {"discardMemory", "(JJ)I", (void *)discard_memory},
        {"adviseHugePages", "(JJ)I", (void *)advise_huge_pages},
        {"unmapMemory", "(JJ)I", (void *)unmap_memory},
        {"bufferOver", "(JI)Ljava/nio/ByteBuffer;", (void *)buffer_over},
        {"pageBytes", "()I", (void *)page_bytes},
        {"migratePages", "(I[J[J)I", (void *)migrate_pages},
        {"directBufferAddress", "(Ljava/nio/ByteBuffer;)J", (void *)direct_buffer_address},
        {"claimLease", "([BLjava/lang/String;Z[B[B)I", (void *)claim_lease},
        {"claimDomain", "([BLjava/lang/String;IZ[B[B)I", (void *)claim_domain},
        {"releaseLease", "(I)I", (void *)release_lease},
        {"leaveCrowd", "(I[B)I", (void *)leave_crowd},
        {"ledgerView", "([B[B)I", (void *)ledger_sight},
        {"listLeases", "([B[B)I", (void *)list_leases},
        {"leaseDirectory", "([B)I", (void *)lease_directory},
        {"agentCommand", "(Ljava/lang/String;[B)I", (void *)command},
        {"describeMachine", "([[BJI)[B", (void *)describe_machine},
        {"hwlocVersion", "([B[B)I", (void *)hwloc_version},
        {"ucpVersion", "([B)I", (void *)ucp_version},
        {"armUcxWorker", "(J)I", (void *)arm_ucx_worker},
        {"setEnvironment", "([B[B)I", (void *)set_environment},
        {"pollReadable", "(II)I", (void *)poll_readable},
        {"readLong", "(J)J", (void *)read_long},
        {"copyMemory", "(JJJ)V", (void *)copy_memory},
        {"hookExits", "(Ljava/lang/Runnable;)I", (void *)hook_exits},
        {"holdDomain", "([JI)I", (void *)hold_domain},
        {"releaseDomain", "()V", (void *)release_domain},
        {"libraryLoads", "()I", (void *)library_loads},
};

JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM *vm, void *reserved) {
    (void)reserved;
    JNIEnv *env;
    if ((*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_1_8) != JNI_OK) {
        return JNI_ERR;
    }
    /* A pending exception (no such class or method) is what System.load throws. */
    jclass type = (*env)->FindClass(env, BRIDGE_CLASS);
    if (type == NULL || (*env)->RegisterNatives(
                                env, type, methods, sizeof methods / sizeof *methods) != JNI_OK) {
        return JNI_ERR;
    }
    java_vm = vm;
    jvm_is(vm);
    return JNI_VERSION_1_8;
}
