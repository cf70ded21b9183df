/*
 * stowage_k8s.h - questions about a Kubernetes cluster, from what kubectl prints.
 *
 * An optional library beside those of stowage.h and stowage_text.h: link stowage_k8s as well. The conventions of stowage.h hold
 * here too: statuses and errors, input that may be hostile, buffers that the caller frees with stowage_buffer_free(), and any
 * number of threads. Texts are UTF-8; input need not end in a NUL. A text that is returned ends in one, which its size does not
 * count.
 *
 * Copyright the Stowage authors. Licensed under the Apache License, Version 2.0.
 */
#ifndef STOWAGE_K8S_H
#define STOWAGE_K8S_H

#include "stowage.h"

#if defined(STOWAGE_STATIC)
#define STOWAGE_K8S_API
#elif defined(_WIN32)
#if defined(STOWAGE_K8S_BUILD)
#define STOWAGE_K8S_API __declspec(dllexport)
#else
#define STOWAGE_K8S_API __declspec(dllimport)
#endif
#else
#define STOWAGE_K8S_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Answer a question about a cluster, as `stowage k8s` does.
 *   request, request_size  JSON: {"arguments": ["fit", "-json"], "files": {"prices.csv": "m5.large,.1"}}. The arguments are
 * those of the command (docs/reference/cli.md). What they name in place of standard input (files, a context) is refused, unless
 * "read": true says that `objects` have it. `files` has the text of each file that a -price or -types names. The argument
 * "expand" asks which node group cluster-autoscaler is to grow: "expand": {"pods": [...], "groups": [{"id": "a", "nodes": 2,
 * "node": {...}, "pods": [0, 1]}]} has the pods that wait and, of each group, how many nodes the autoscaler would add, what a
 * new node is, and which pods it takes. The answer is JSON:
 *                          {"options": [{"id": "a", "debug": "..."}]}, empty where nothing is better than another
 *                          With "look": true, nothing is read, and the answer says what the arguments ask for: {"files": [...],
 *                          "prices": [...], "context": "", "kubeconfig": "", "help": "..."}
 *   objects, size          JSON: lists and objects as kubectl and the API print them, one document after the other
 *   control                watches and ends the call; NULL: nothing does
 *   code                   receives 0, 2 where something does not fit, or 4 where that depends on what is not in the input
 *   answer                 receives the text for people or, with -json, JSON
 * Statuses: OK, INVALID_ARGUMENT, MALFORMED (not JSON), INVALID (an option, an object or a value of it is wrong; error.path is
 * its place, such as "items[3].spec.containers"), OUT_OF_MEMORY, INTERNAL, and those of stowage_plan().
 */
STOWAGE_K8S_API stowage_status stowage_k8s_answer(const char* request, size_t request_size, const char* objects, size_t size,
                                                  stowage_control* control, int32_t* code, stowage_buffer* answer,
                                                  stowage_error* error);

#ifdef __cplusplus
}
#endif

#endif /* STOWAGE_K8S_H */
