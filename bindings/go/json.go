//go:build stowage_text

package stowage

import "stowage.dev/go/internal/text"

// InstanceFromJSON reads an instance that people wrote as JSON (docs/reference/json-format.md) and returns its bytes, for Load, OpenSession
// and ReadCluster. Fails with ErrMalformed where the text is not JSON: the message has line and column. Fails with ErrInvalid where a
// key, a name or a quantity is wrong: the path is that of the value, such as "apps[3].demand.cpu".
func InstanceFromJSON(json []byte) ([]byte, error) { return InstanceFromJSONWithin(json, Limits{}) }

// InstanceFromJSONWithin is InstanceFromJSON with the caller's limits: Bytes of the text, and Memory.
func InstanceFromJSONWithin(json []byte, limits Limits) ([]byte, error) {
	bytes, failure := text.InstanceFromJSON(json, limits.raw())
	return bytes, errorOf(failure)
}

// InstanceToJSON writes the bytes of an instance, or of a snapshot, as JSON. Nothing that planners read is lost. Fails as Load.
func InstanceToJSON(bytes []byte) ([]byte, error) {
	json, failure := text.InstanceToJSON(bytes, nil)
	return json, errorOf(failure)
}

// OperationsFromJSON reads operations on a session as JSON (docs/understand/sessions.md) and returns their bytes, for Session.ApplyBytes: a
// list of operations, one operation, or a batch. The instance is the one that the session was opened on, or a snapshot: operations
// depend on its resources, periods and kinds alone. Fails as InstanceFromJSON and Load, with paths such as "[3].replicas".
func OperationsFromJSON(instance, json []byte) ([]byte, error) {
	return OperationsFromJSONWithin(instance, json, Limits{})
}

// OperationsFromJSONWithin is OperationsFromJSON with the caller's limits: those of Load, Bytes of the text, and Memory of the
// operations.
func OperationsFromJSONWithin(instance, json []byte, limits Limits) ([]byte, error) {
	bytes, failure := text.OperationsFromJSON(instance, json, limits.raw())
	return bytes, errorOf(failure)
}

// PlanFromJSON reads a plan as JSON, with names of the instance whose bytes are given. Fails as InstanceFromJSON and Load.
func PlanFromJSON(instance, json []byte) (*Plan, error) {
	bytes, failure := text.PlanFromJSON(instance, json, nil)
	if failure != nil {
		return nil, errorOf(failure)
	}
	return ReadPlan(bytes)
}

// PlanToJSON writes a plan as JSON, with the names of the instance whose bytes are given. Fails with ErrInvalid where the plan does
// not belong to the instance, and as Load.
func PlanToJSON(instance []byte, plan *Plan) ([]byte, error) {
	json, failure := text.PlanToJSON(instance, plan.Bytes, nil)
	return json, errorOf(failure)
}

// PlanToText puts a plan into words, as the command `stowage plan` does: which nodes to buy, use, keep and free, how sure that is,
// what decides, and a table of at most `shown` nodes. Fails as PlanToJSON.
func PlanToText(instance []byte, plan *Plan, shown uint32) (string, error) {
	words, failure := text.PlanToText(instance, plan.Bytes, shown, nil)
	return string(words), errorOf(failure)
}

// PlanToHTML makes a page of a plan: an HTML document with the answer of PlanToText, how sure it is, what decides, a picture of all
// nodes, and tables. It needs no other file and runs no script. Fails as PlanToJSON.
func PlanToHTML(instance []byte, plan *Plan) ([]byte, error) {
	page, failure := text.PlanToHTML(instance, plan.Bytes, nil)
	return page, errorOf(failure)
}

// PlanToSVG draws a plan: the picture of its page, as an SVG document. Fails as PlanToJSON.
func PlanToSVG(instance []byte, plan *Plan) ([]byte, error) {
	picture, failure := text.PlanToSVG(instance, plan.Bytes, nil)
	return picture, errorOf(failure)
}

// ExplanationToText puts an explanation of the plan into words, as the command `stowage explain` does. Fails as PlanToJSON.
func ExplanationToText(instance []byte, plan *Plan, explanation *Explanation) (string, error) {
	words, failure := text.ExplanationToText(instance, plan.Bytes, explanation.Bytes, nil)
	return string(words), errorOf(failure)
}
