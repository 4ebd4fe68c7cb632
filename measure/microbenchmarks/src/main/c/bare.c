/* Bare system calls in a loop inside one native call, so that neither JNI nor Java is in the time of one. */
#define _GNU_SOURCE
#include <errno.h>
#include <jni.h>
#include <sched.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static cpu_set_t mask;
static size_t mask_bytes;

/* The system call itself: glibc's wrapper of the getter clears the rest of the buffer. */
static long get_affinity(void)
{
    return syscall(SYS_sched_getaffinity, 0, sizeof(mask), &mask);
}

/* Reads the own thread's mask, which set_mask then sets again. */
static jint read_mask(JNIEnv *env, jclass owner, jint times)
{
    (void)env;
    (void)owner;
    for (jint i = 0; i < times; i++) {
        long bytes = get_affinity();
        if (bytes < 0)
            return -errno;
        mask_bytes = (size_t)bytes;
    }
    return (jint)mask_bytes;
}

static jint set_mask(JNIEnv *env, jclass owner, jint times)
{
    (void)env;
    (void)owner;
    for (jint i = 0; i < times; i++) {
        if (syscall(SYS_sched_setaffinity, 0, mask_bytes, &mask) < 0)
            return -errno;
    }
    return 0;
}

JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM *vm, void *reserved)
{
    (void)reserved;
    static const JNINativeMethod methods[] = {
        {"readMask", "(I)I", (void *)read_mask},
        {"setMask", "(I)I", (void *)set_mask},
    };
    JNIEnv *env;
    if ((*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_1_8) != JNI_OK)
        return JNI_ERR;
    jclass owner = (*env)->FindClass(env, "org/berth/microbenchmarks/BareCalls");
    if (owner == NULL)
        return JNI_ERR;
    if ((*env)->RegisterNatives(env, owner, methods, sizeof(methods) / sizeof(methods[0])) != 0)
        return JNI_ERR;
    return JNI_VERSION_1_8;
}
