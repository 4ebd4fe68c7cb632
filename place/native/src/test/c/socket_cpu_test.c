#include "socket_cpu.h"

#include "cpu_bind.h"
#include "runner.h"

#include <arpa/inet.h>
#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

/* A connection over loopback, whose packets are handled on the sender's CPU. */
struct connection {
    int sender;
    int receiver;
};

static struct connection connect_pair(void) {
    struct connection pair = {-1, -1};
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    CHECK_INT(bind(listener, (struct sockaddr *)&address, sizeof address), 0);
    CHECK_INT(listen(listener, 1), 0);
    CHECK_INT(getsockname(listener, (struct sockaddr *)&address, &length), 0);
    pair.sender = socket(AF_INET, SOCK_STREAM, 0);
    CHECK_INT(connect(pair.sender, (struct sockaddr *)&address, sizeof address), 0);
    pair.receiver = accept(listener, NULL, NULL);
    CHECK(pair.receiver >= 0);
    close(listener);
    return pair;
}

TEST(it_is_the_cpu_that_handled_the_last_packet) {
    struct connection pair = connect_pair();
    struct index_set all = {0};
    struct index_set one = {0};
    CHECK_INT(cpu_bind_get(0, &all), 0);
    for (int cpu = index_set_next(&all, 0); cpu >= 0;
            cpu = index_set_next(&all, (unsigned)cpu + 1)) {
        index_set_clear(&one);
        index_set_add(&one, (unsigned)cpu);
        CHECK_INT(cpu_bind_set(0, &one), 0);
        char byte = 'x';
        CHECK_INT(write(pair.sender, &byte, 1), 1);
        CHECK_INT(read(pair.receiver, &byte, 1), 1);
        CHECK_INT(socket_incoming_cpu(pair.receiver), cpu);
    }
    CHECK_INT(cpu_bind_set(0, &all), 0);
    index_set_free(&all);
    index_set_free(&one);
    close(pair.sender);
    close(pair.receiver);
}

TEST(what_is_no_connection_gives_the_reason) {
    int idle = socket(AF_INET, SOCK_STREAM, 0);
    CHECK_INT(socket_incoming_cpu(idle), -ENODATA);
    close(idle);
    CHECK_INT(socket_incoming_cpu(idle), -EBADF);
    CHECK_INT(socket_incoming_cpu(-1), -EBADF);
    int ends[2];
    CHECK_INT(pipe(ends), 0);
    CHECK_INT(socket_incoming_cpu(ends[0]), -ENOTSOCK);
    close(ends[0]);
    close(ends[1]);
}

int main(void) {
    RUN(it_is_the_cpu_that_handled_the_last_packet);
    RUN(what_is_no_connection_gives_the_reason);
    return runner_result();
}
