// Package capi is the raw C ABI of stowage.h: one Go function per C function, handles as pointers, statuses as numbers.
// stowage.h states ownership and thread safety. A control may be nil. Package stowage wraps it safely.
package capi

// #include "stowage.h"
import "C"

import (
	"strings"
	"unsafe"
)

// Instance, Control, Session and Model are opaque handles; a Buffer holds bytes that the library allocated.
type (
	Instance = C.stowage_instance
	Control  = C.stowage_control
	Session  = C.stowage_session
	Model    = C.stowage_model
	Buffer   = C.stowage_buffer
)

// Status is stowage_status; its text, message and path describe a call that failed.
type Status uint32

// The statuses of stowage.h.
const (
	OK              Status = C.STOWAGE_OK
	InvalidArgument Status = C.STOWAGE_INVALID_ARGUMENT
	Malformed       Status = C.STOWAGE_MALFORMED
	Invalid         Status = C.STOWAGE_INVALID
	Unsupported     Status = C.STOWAGE_UNSUPPORTED
	LimitExceeded   Status = C.STOWAGE_LIMIT_EXCEEDED
	NotFound        Status = C.STOWAGE_NOT_FOUND
	OutOfMemory     Status = C.STOWAGE_OUT_OF_MEMORY
	Internal        Status = C.STOWAGE_INTERNAL
	Cancelled       Status = C.STOWAGE_CANCELLED
	Busy            Status = C.STOWAGE_BUSY
)

// AllUnplaced asks Explain for all apps that are not fully placed.
const AllUnplaced uint32 = C.STOWAGE_ALL_UNPLACED

// Version of the header that this package was compiled with.
const (
	VersionMajor = C.STOWAGE_VERSION_MAJOR
	VersionMinor = C.STOWAGE_VERSION_MINOR
	VersionPatch = C.STOWAGE_VERSION_PATCH
)

// Limits is stowage_limits without struct_size; 0 stands for the default.
type Limits struct {
	MaxBytes, MaxApps, MaxReplicas, MaxLimits, MaxNodes, MaxCells, MaxThreads, MaxMemory uint64
}

// Progress is stowage_progress without struct_size.
type Progress struct {
	Phase       uint32
	Cancelled   bool
	Done        uint64
	Total       uint64
	Best        uint64
	Work        uint64
	Value       float64
	LeftOver    uint64
	Nanoseconds [C.STOWAGE_PHASE_END]uint64
}

// Failure is stowage_error.
type Failure struct {
	Status        Status
	Message, Path string
}

func failure(status C.stowage_status, details *C.stowage_error) *Failure {
	if status == C.STOWAGE_OK {
		return nil
	}
	return NewFailure(Status(status), C.GoString(&details.message[0]), C.GoString(&details.path[0]))
}

// NewFailure takes a message and a path, which may be cut within a character.
func NewFailure(status Status, message, path string) *Failure {
	return &Failure{status, strings.ToValidUTF8(message, "\uFFFD"), strings.ToValidUTF8(path, "\uFFFD")}
}

// bytes returns a pointer to the first byte of a slice; nil for an empty slice.
func bytes(slice []byte) (*C.uint8_t, C.size_t) {
	return (*C.uint8_t)(unsafe.SliceData(slice)), C.size_t(len(slice))
}

// Bytes is a view of a buffer, valid until FreeBuffer.
func Bytes(buffer *Buffer) []byte { return unsafe.Slice((*byte)(buffer.data), buffer.size) }

// FreeBuffer is stowage_buffer_free.
func FreeBuffer(buffer *Buffer) { C.stowage_buffer_free(buffer) }

// LibraryVersion is stowage_version.
func LibraryVersion() string { return C.GoString(C.stowage_version()) }

// StatusText is stowage_status_text.
func StatusText(status Status) string {
	return C.GoString(C.stowage_status_text(C.stowage_status(status)))
}

// accepted converts limits to stowage_limits; nil for the defaults.
func accepted(limits *Limits) *C.stowage_limits {
	if limits == nil {
		return nil
	}
	return &C.stowage_limits{
		struct_size:  C.sizeof_stowage_limits,
		max_bytes:    C.uint64_t(limits.MaxBytes),
		max_apps:     C.uint64_t(limits.MaxApps),
		max_replicas: C.uint64_t(limits.MaxReplicas),
		max_limits:   C.uint64_t(limits.MaxLimits),
		max_nodes:    C.uint64_t(limits.MaxNodes),
		max_cells:    C.uint64_t(limits.MaxCells),
		max_threads:  C.uint64_t(limits.MaxThreads),
		max_memory:   C.uint64_t(limits.MaxMemory),
	}
}

// AcceptedLimits is a pointer to stowage_limits, for the package whose C types are others; nil for the defaults.
func AcceptedLimits(limits *Limits) unsafe.Pointer { return unsafe.Pointer(accepted(limits)) }

// Load is stowage_instance_load_watched.
func Load(data []byte, limits *Limits, control *Control) (*Instance, *Failure) {
	start, size := bytes(data)
	var instance *Instance
	var details C.stowage_error
	status := C.stowage_instance_load_watched(start, size, accepted(limits), control, &instance, &details)
	return instance, failure(status, &details)
}

// Derive is stowage_instance_derive_watched; limits may be nil, for those of the instance.
func Derive(instance *Instance, derivation []byte, limits *Limits, control *Control) (*Instance, *Failure) {
	start, size := bytes(derivation)
	var derived *Instance
	var details C.stowage_error
	status := C.stowage_instance_derive_watched(instance, start, size, accepted(limits), control, &derived, &details)
	return derived, failure(status, &details)
}

// Save is stowage_instance_save_watched.
func Save(instance *Instance, control *Control) (Buffer, *Failure) {
	var saved Buffer
	var details C.stowage_error
	status := C.stowage_instance_save_watched(instance, control, &saved, &details)
	return saved, failure(status, &details)
}

// Fingerprint is stowage_instance_fingerprint.
func Fingerprint(instance *Instance) uint64 { return uint64(C.stowage_instance_fingerprint(instance)) }

// FreeInstance is stowage_instance_free.
func FreeInstance(instance *Instance) { C.stowage_instance_free(instance) }

// Plan is stowage_plan; control may be nil.
func Plan(instance *Instance, request []byte, control *Control) (Buffer, *Failure) {
	start, size := bytes(request)
	var plan Buffer
	var details C.stowage_error
	status := C.stowage_plan(instance, start, size, control, &plan, &details)
	return plan, failure(status, &details)
}

// Verify is stowage_verify_watched.
func Verify(instance *Instance, plan []byte, control *Control) (Buffer, *Failure) {
	start, size := bytes(plan)
	var report Buffer
	var details C.stowage_error
	status := C.stowage_verify_watched(instance, start, size, control, &report, &details)
	return report, failure(status, &details)
}

// Explain is stowage_explain; control may be nil.
func Explain(instance *Instance, plan []byte, app uint32, control *Control) (Buffer, *Failure) {
	start, size := bytes(plan)
	var report Buffer
	var details C.stowage_error
	status := C.stowage_explain(instance, start, size, C.uint32_t(app), control, &report, &details)
	return report, failure(status, &details)
}

// Headroom is stowage_headroom_watched.
func Headroom(instance *Instance, plan []byte, app, node uint32, control *Control) (Buffer, *Failure) {
	start, size := bytes(plan)
	var report Buffer
	var details C.stowage_error
	status := C.stowage_headroom_watched(instance, start, size, C.uint32_t(app), C.uint32_t(node), control, &report, &details)
	return report, failure(status, &details)
}

// HeadroomOfApps is stowage_headroom_of_apps_watched. No bytes: what runs or is pinned.
func HeadroomOfApps(instance *Instance, plan []byte, most uint32, control *Control) (Buffer, *Failure) {
	start, size := bytes(plan)
	var report Buffer
	var details C.stowage_error
	status := C.stowage_headroom_of_apps_watched(instance, start, size, C.uint32_t(most), control, &report, &details)
	return report, failure(status, &details)
}

// Losses is stowage_losses. No bytes: what runs or is pinned.
func Losses(instance *Instance, plan []byte, nodes []uint32, label string, control *Control) (Buffer, *Failure) {
	start, size := bytes(plan)
	var first *C.uint32_t
	if len(nodes) > 0 {
		first = (*C.uint32_t)(unsafe.Pointer(&nodes[0]))
	}
	key, length := bytes([]byte(label))
	var report Buffer
	var details C.stowage_error
	status := C.stowage_losses(instance, start, size, first, C.size_t(len(nodes)), key, length, control, &report, &details)
	return report, failure(status, &details)
}

// OrderMoves is stowage_order_moves.
func OrderMoves(instance *Instance, plan []byte, perNode uint32, appShare float64, control *Control) (Buffer, *Failure) {
	start, size := bytes(plan)
	var report Buffer
	var details C.stowage_error
	status := C.stowage_order_moves(instance, start, size, C.uint32_t(perNode), C.double(appShare), control, &report, &details)
	return report, failure(status, &details)
}

// Bound is stowage_bound_watched.
func Bound(instance *Instance, control *Control) (Buffer, *Failure) {
	var report Buffer
	var details C.stowage_error
	status := C.stowage_bound_watched(instance, control, &report, &details)
	return report, failure(status, &details)
}

// Check is stowage_check; limits and control may be nil.
func Check(kind uint32, data []byte, limits *Limits, control *Control) *Failure {
	start, size := bytes(data)
	var details C.stowage_error
	return failure(C.stowage_check(C.uint32_t(kind), start, size, accepted(limits), control, &details), &details)
}

// The kinds of Check.
const (
	KindInstance   uint32 = C.STOWAGE_KIND_INSTANCE
	KindRequest    uint32 = C.STOWAGE_KIND_REQUEST
	KindPlan       uint32 = C.STOWAGE_KIND_PLAN
	KindReport     uint32 = C.STOWAGE_KIND_REPORT
	KindCatalogue  uint32 = C.STOWAGE_KIND_CATALOGUE
	KindOperations uint32 = C.STOWAGE_KIND_OPERATIONS
	KindLearning   uint32 = C.STOWAGE_KIND_LEARNING
	KindDerivation uint32 = C.STOWAGE_KIND_DERIVATION
)

// Planners is stowage_planners.
func Planners() (Buffer, *Failure) {
	var catalogue Buffer
	var details C.stowage_error
	status := C.stowage_planners(&catalogue, &details)
	return catalogue, failure(status, &details)
}

// NewControl is stowage_control_new.
func NewControl() (*Control, *Failure) {
	var control *Control
	var details C.stowage_error
	status := C.stowage_control_new(&control, &details)
	return control, failure(status, &details)
}

// FreeControl is stowage_control_free.
func FreeControl(control *Control) { C.stowage_control_free(control) }

// Cancel is stowage_control_cancel.
func Cancel(control *Control) { C.stowage_control_cancel(control) }

// SetDeadline is stowage_control_set_deadline.
func SetDeadline(control *Control, milliseconds uint64) {
	C.stowage_control_set_deadline(control, C.uint64_t(milliseconds))
}

// ReadProgress is stowage_control_progress.
func ReadProgress(control *Control) (Progress, Status) {
	raw := C.stowage_progress{struct_size: C.sizeof_stowage_progress}
	status := Status(C.stowage_control_progress(control, &raw))
	progress := Progress{
		Phase: uint32(raw.phase), Cancelled: raw.cancelled != 0,
		Done: uint64(raw.done), Total: uint64(raw.total), Best: uint64(raw.best), Work: uint64(raw.work),
		Value: float64(raw.value), LeftOver: uint64(raw.left_over),
	}
	for phase, nanoseconds := range raw.nanoseconds {
		progress.Nanoseconds[phase] = uint64(nanoseconds)
	}
	return progress, status
}

// OpenSession is stowage_session_open_watched.
func OpenSession(data []byte, limits *Limits, control *Control) (*Session, *Failure) {
	start, size := bytes(data)
	var session *Session
	var details C.stowage_error
	status := C.stowage_session_open_watched(start, size, accepted(limits), control, &session, &details)
	return session, failure(status, &details)
}

// FreeSession is stowage_session_free.
func FreeSession(session *Session) { C.stowage_session_free(session) }

// SessionVersion is stowage_session_version.
func SessionVersion(session *Session) uint64 { return uint64(C.stowage_session_version(session)) }

// SessionApply is stowage_session_apply_watched.
func SessionApply(session *Session, operations []byte, control *Control) *Failure {
	start, size := bytes(operations)
	var details C.stowage_error
	return failure(C.stowage_session_apply_watched(session, start, size, control, &details), &details)
}

// SessionInstance is stowage_session_instance_watched.
func SessionInstance(session *Session, control *Control) (*Instance, *Failure) {
	var instance *Instance
	var details C.stowage_error
	status := C.stowage_session_instance_watched(session, control, &instance, &details)
	return instance, failure(status, &details)
}

// SessionPlan is stowage_session_plan; control may be nil.
func SessionPlan(session *Session, request []byte, control *Control) (Buffer, *Failure) {
	start, size := bytes(request)
	var plan Buffer
	var details C.stowage_error
	status := C.stowage_session_plan(session, start, size, control, &plan, &details)
	return plan, failure(status, &details)
}

// The modes of SessionCommit.
const (
	CommitExact   uint32 = C.STOWAGE_COMMIT_EXACT
	CommitWhole   uint32 = C.STOWAGE_COMMIT_WHOLE
	CommitFitting uint32 = C.STOWAGE_COMMIT_FITTING
)

// SessionCommit is stowage_session_commit_watched.
func SessionCommit(session *Session, plan []byte, mode uint32, control *Control) (Buffer, *Failure) {
	start, size := bytes(plan)
	var report Buffer
	var details C.stowage_error
	status := C.stowage_session_commit_watched(session, start, size, C.uint32_t(mode), control, &report, &details)
	return report, failure(status, &details)
}

// SessionReject is stowage_session_reject_watched.
func SessionReject(session *Session, plan []byte, control *Control) *Failure {
	start, size := bytes(plan)
	var details C.stowage_error
	return failure(C.stowage_session_reject_watched(session, start, size, control, &details), &details)
}

// SessionSnapshot is stowage_session_snapshot_watched.
func SessionSnapshot(session *Session, control *Control) (Buffer, *Failure) {
	var snapshot Buffer
	var details C.stowage_error
	status := C.stowage_session_snapshot_watched(session, control, &snapshot, &details)
	return snapshot, failure(status, &details)
}

// LearnModel is stowage_model_learn_watched.
func LearnModel(profiles []byte, limits *Limits, control *Control) (*Model, *Failure) {
	start, size := bytes(profiles)
	var model *Model
	var details C.stowage_error
	status := C.stowage_model_learn_watched(start, size, accepted(limits), control, &model, &details)
	return model, failure(status, &details)
}

// LoadModel is stowage_model_load_watched.
func LoadModel(data []byte, limits *Limits, control *Control) (*Model, *Failure) {
	start, size := bytes(data)
	var model *Model
	var details C.stowage_error
	status := C.stowage_model_load_watched(start, size, accepted(limits), control, &model, &details)
	return model, failure(status, &details)
}

// FreeModel is stowage_model_free.
func FreeModel(model *Model) { C.stowage_model_free(model) }

// SaveModel is stowage_model_save_watched.
func SaveModel(model *Model, control *Control) (Buffer, *Failure) {
	var data Buffer
	var details C.stowage_error
	status := C.stowage_model_save_watched(model, control, &data, &details)
	return data, failure(status, &details)
}

// Recommend is stowage_model_recommend_watched.
func Recommend(model *Model, question []byte, control *Control) (Buffer, *Failure) {
	start, size := bytes(question)
	var recommendations Buffer
	var details C.stowage_error
	status := C.stowage_model_recommend_watched(model, start, size, control, &recommendations, &details)
	return recommendations, failure(status, &details)
}

// Size is stowage_size_watched.
func Size(usage []byte, control *Control) (Buffer, *Failure) {
	start, size := bytes(usage)
	var sizes Buffer
	var details C.stowage_error
	status := C.stowage_size_watched(start, size, control, &sizes, &details)
	return sizes, failure(status, &details)
}
