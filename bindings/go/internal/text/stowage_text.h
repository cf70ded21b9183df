/*
 * stowage_text.h - instances, plans and a session's operations as the JSON that people write; plans and explanations in
 * words; pages and pictures of plans.
 *
 * An optional library beside the one of stowage.h: link stowage_text as well (docs/reference/abi.md, "Text"). The conventions
 * of stowage.h hold here too: statuses and errors, input that may be hostile, buffers that the caller frees with
 * stowage_buffer_free(), and any number of threads.
 *
 *  - A text is UTF-8. Input need not end in a NUL. A text that is returned ends in one, which its size does not count.
 *  - docs/reference/json-format.md describes the JSON, docs/understand/sessions.md that of operations.
 *  - Instances are given as bytes, as for stowage_instance_load(), whose limits apply. A call refuses an instance that
 *    stowage_instance_load() refuses, with the same error.
 *  - A failure names the place: error.path is that of a value in the JSON, such as "apps[3].demand.cpu"; where the text is not
 *    JSON, the message has line and column. stowage_instance_load() names the field of the buffer, such as
 *    "running[0].replicas", also where the bytes came from JSON.
 *
 * Copyright the Stowage authors. Licensed under the Apache License, Version 2.0.
 */
#ifndef STOWAGE_TEXT_H
#define STOWAGE_TEXT_H

#include "stowage.h"

#if defined(STOWAGE_STATIC)
#define STOWAGE_TEXT_API
#elif defined(_WIN32)
#if defined(STOWAGE_TEXT_BUILD)
#define STOWAGE_TEXT_API __declspec(dllexport)
#else
#define STOWAGE_TEXT_API __declspec(dllimport)
#endif
#else
#define STOWAGE_TEXT_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Read an instance that is written as JSON.
 *   json, size      the text
 *   limits          NULL for the defaults. max_bytes limits the text; max_memory limits what a text of any size can ask for,
 *                   its demand over the periods. Reading takes memory in proportion to the text, up to about 200 bytes for each
 *                   of its bytes where it is made to: limit the bytes of texts from strangers
 *   instance        receives the bytes (instance.fbs, identifier "STOI") for stowage_instance_load(), which checks the values
 * Statuses: OK, INVALID_ARGUMENT, MALFORMED (not JSON), INVALID (an unknown key or name, a value of a wrong kind),
 * LIMIT_EXCEEDED, OUT_OF_MEMORY, INTERNAL.
 */
STOWAGE_TEXT_API stowage_status stowage_instance_from_json(const char* json, size_t size, const stowage_limits* limits,
                                                           stowage_buffer* instance, stowage_error* error);

/*
 * Write an instance as JSON. stowage_instance_from_json() makes the same instance of it, in the order of the JSON
 * (docs/reference/json-format.md): an instance that is in this order, as all are that were made of JSON, keeps its fingerprint.
 * Of a session's snapshot, what only the session needs is left out, such as which closed nodes are drained.
 *   bytes, size     the instance
 *   json            receives the text
 * Statuses: those of stowage_instance_load(), and INVALID where a name is not UTF-8.
 */
STOWAGE_TEXT_API stowage_status stowage_instance_to_json(const uint8_t* bytes, size_t size, const stowage_limits* limits,
                                                         stowage_buffer* json, stowage_error* error);

/*
 * Read a plan that is written as JSON, with names of an instance. Whether the plan is a good one, stowage_verify() tells.
 *   bytes, size     the instance
 *   json, json_size the text; its bytes are limited as the instance's
 *   plan            receives the bytes (plan.fbs, identifier "STOP")
 * Statuses: those of stowage_instance_load(); MALFORMED, INVALID and LIMIT_EXCEEDED speak of the text as well. A plan that
 * stowage_plan_to_json() refuses is INVALID.
 */
STOWAGE_TEXT_API stowage_status stowage_plan_from_json(const uint8_t* bytes, size_t size, const char* json, size_t json_size,
                                                       const stowage_limits* limits, stowage_buffer* plan,
                                                       stowage_error* error);

/*
 * Write a plan as JSON, with the names of its instance.
 *   bytes, size     the instance
 *   plan, plan_size the plan; it need not be trusted
 *   json            receives the text
 * Statuses: those of stowage_instance_load(); MALFORMED where the plan is none, INVALID where it does not belong to the
 * instance.
 */
STOWAGE_TEXT_API stowage_status stowage_plan_to_json(const uint8_t* bytes, size_t size, const uint8_t* plan, size_t plan_size,
                                                     const stowage_limits* limits, stowage_buffer* json, stowage_error* error);

/*
 * Read operations on a session that are written as JSON (docs/understand/sessions.md): a list of operations, one operation, or
 * a batch.
 *   bytes, size     an instance with the session's resources, periods and kinds, which a session never changes: the one that it
 *                   was opened on, or a snapshot. It is checked as a whole; operations depend on nothing else of it
 *   json, json_size the text; its bytes are limited as the instance's. max_memory limits the bytes of the operations, too
 *   operations      receives the bytes (session.fbs, identifier "STOS") for stowage_session_apply(), which checks values, and
 *                   names of apps, nodes, classes and groups
 * Paths are those of the text: "[3].replicas" in a list, "replicas" in an operation, "operations[3].replicas" in a batch.
 * stowage_session_apply() counts entries in all three cases: "operations[3].replicas"; a single operation is "operations[0]".
 * Statuses: those of stowage_instance_load(); MALFORMED, INVALID and LIMIT_EXCEEDED speak of the text as well.
 */
STOWAGE_TEXT_API stowage_status stowage_operations_from_json(const uint8_t* bytes, size_t size, const char* json,
                                                             size_t json_size, const stowage_limits* limits,
                                                             stowage_buffer* operations, stowage_error* error);

/*
 * Put a plan into words, as `stowage plan` prints it: which nodes to buy, use, keep and free, how sure that is, what decides,
 * and the nodes by class and one by one. English, in lines that end in a line feed. The plan is verified for it.
 *   bytes, size     the instance
 *   plan, plan_size the plan; it need not be trusted
 *   shown           lines of the table of nodes at most; of more nodes, the fullest and the emptiest are shown. 0: no table
 *   text            receives the text; characters of names that steer a terminal are in it as "\u001b"
 * Statuses: those of stowage_instance_load(); MALFORMED where the plan is none, INVALID where it does not belong to the
 * instance.
 */
STOWAGE_TEXT_API stowage_status stowage_plan_to_text(const uint8_t* bytes, size_t size, const uint8_t* plan, size_t plan_size,
                                                     uint32_t shown, const stowage_limits* limits, stowage_buffer* text,
                                                     stowage_error* error);

/*
 * Make a page of a plan: an HTML document with the answer of stowage_plan_to_text(), how sure it is, what decides, a picture of
 * all nodes, and tables. It needs no other file, runs no script, and suits dark screens and paper. The plan is verified for it.
 *   bytes, size     the instance
 *   plan, plan_size the plan; it need not be trusted
 *   html            receives the document, UTF-8; names are escaped
 * Statuses: those of stowage_plan_to_text().
 */
STOWAGE_TEXT_API stowage_status stowage_plan_to_html(const uint8_t* bytes, size_t size, const uint8_t* plan, size_t plan_size,
                                                     const stowage_limits* limits, stowage_buffer* html, stowage_error* error);

/*
 * Draw a plan: the picture of that page as an SVG document. Nodes are columns by class, as wide as they are large, and a strip
 * per resource shows what the largest apps, the others and the load take. The plan is not verified.
 *   svg             receives the document, UTF-8
 * Everything else is as for stowage_plan_to_html().
 */
STOWAGE_TEXT_API stowage_status stowage_plan_to_svg(const uint8_t* bytes, size_t size, const uint8_t* plan, size_t plan_size,
                                                    const stowage_limits* limits, stowage_buffer* svg, stowage_error* error);

/*
 * Put an explanation into words, as `stowage explain` prints it: English, in lines that end in a line feed.
 *   bytes, size     the instance
 *   plan, plan_size the plan that is explained
 *   report, report_size what stowage_explain() returned for it
 *   text            receives the text; characters of names that steer a terminal are in it as "\u001b"
 * Statuses: those of stowage_instance_load(); MALFORMED where plan or report is none, INVALID where the plan does not belong
 * to the instance or the report is of another kind.
 */
STOWAGE_TEXT_API stowage_status stowage_explanation_to_text(const uint8_t* bytes, size_t size, const uint8_t* plan,
                                                            size_t plan_size, const uint8_t* report, size_t report_size,
                                                            const stowage_limits* limits, stowage_buffer* text,
                                                            stowage_error* error);

#ifdef __cplusplus
}
#endif

#endif /* STOWAGE_TEXT_H */
