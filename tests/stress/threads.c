// Four threads hand each other blocks through queues; who gets one frees it.
// cc: -lpthread
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 4, ROUNDS = 200000, ROOM = 256 };

static struct queue {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    long *blocks[ROOM];
    unsigned head, tail;
} queues[THREADS];

static void put(struct queue *q, long *block)
{
    pthread_mutex_lock(&q->lock);
    while (q->tail - q->head == ROOM) pthread_cond_wait(&q->changed, &q->lock);
    q->blocks[q->tail++ % ROOM] = block;
    pthread_cond_signal(&q->changed);
    pthread_mutex_unlock(&q->lock);
}

static long *take(struct queue *q)
{
    pthread_mutex_lock(&q->lock);
    while (q->tail == q->head) pthread_cond_wait(&q->changed, &q->lock);
    long *block = q->blocks[q->head++ % ROOM];
    pthread_cond_signal(&q->changed);
    pthread_mutex_unlock(&q->lock);
    return block;
}

static void *work(void *argument)
{
    long me = (long)argument, *sum = calloc(1, sizeof *sum);
    struct queue *mine = &queues[me], *next = &queues[(me + 1) % THREADS];
    for (long i = 0; i < ROUNDS; i++) {
        if (me % 2 == 0) {
            size_t words = (size_t)(2 + i % 30);
            long *block = malloc(words * sizeof *block);
            block[0] = (long)words;
            block[words - 1] = i;
            put(next, block);
        } else {
            long *block = take(mine);
            *sum += block[block[0] - 1];
            block = realloc(block, 8);
            free(block);
        }
    }
    return sum;
}

int main(void)
{
    pthread_t threads[THREADS];
    long total = 0;
    for (int i = 0; i < THREADS; i++) {
        pthread_mutex_init(&queues[i].lock, NULL);
        pthread_cond_init(&queues[i].changed, NULL);
    }
    for (long i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < THREADS; i++) {
        void *sum;
        pthread_join(threads[i], &sum);
        total += *(long *)sum;
        free(sum);
    }
    printf("%ld\n", total);
    return 0;
}
