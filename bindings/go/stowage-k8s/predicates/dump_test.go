package predicates

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/component-helpers/storage/volume"
	defaults "k8s.io/kubernetes/pkg/apis/core/v1"
)

// dump is what kubectl prints, read without the code of the command.
type dump struct {
	nodes   []*corev1.Node
	pods    []*corev1.Pod
	daemons []*appsv1.DaemonSet
	claims  map[string]*corev1.PersistentVolumeClaim
	storage []runtime.Object
	// templates by kind, namespace and name of their controller, as the command names workloads.
	templates map[string]*corev1.PodTemplateSpec
	// claimTemplates of stateful sets.
	claimTemplates map[string][]corev1.PersistentVolumeClaim
}

func readDump(t *testing.T, content []byte) *dump {
	d := &dump{
		claims: map[string]*corev1.PersistentVolumeClaim{}, templates: map[string]*corev1.PodTemplateSpec{},
		claimTemplates: map[string][]corev1.PersistentVolumeClaim{},
	}
	decoder := json.NewDecoder(bytes.NewReader(content))
	for {
		var one json.RawMessage
		if err := decoder.Decode(&one); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		d.add(t, one)
	}
	return d
}

func decode[Object any](t *testing.T, content []byte) *Object {
	object := new(Object)
	if err := json.Unmarshal(content, object); err != nil {
		t.Fatal(err)
	}
	return object
}

func (d *dump) add(t *testing.T, content []byte) {
	key := func(meta metav1.ObjectMeta) string { return meta.Namespace + "/" + meta.Name }
	switch kind := decode[metav1.TypeMeta](t, content).Kind; kind {
	case "List", "NodeList", "PodList":
		for _, item := range decode[struct{ Items []json.RawMessage }](t, content).Items {
			d.add(t, item)
		}
	case "Node":
		d.nodes = append(d.nodes, decode[corev1.Node](t, content))
	case "Pod":
		d.pods = append(d.pods, decode[corev1.Pod](t, content))
	case "DaemonSet":
		d.daemons = append(d.daemons, decode[appsv1.DaemonSet](t, content))
	case "Deployment", "ReplicaSet", "ReplicationController", "Rollout":
		one := decode[appsv1.Deployment](t, content)
		d.templates[strings.ToLower(kind)+" "+key(one.ObjectMeta)] = &one.Spec.Template
	case "StatefulSet":
		one := decode[appsv1.StatefulSet](t, content)
		d.templates["statefulset "+key(one.ObjectMeta)] = &one.Spec.Template
		d.claimTemplates["statefulset "+key(one.ObjectMeta)] = one.Spec.VolumeClaimTemplates
	case "Job":
		one := decode[batchv1.Job](t, content)
		d.templates["job "+key(one.ObjectMeta)] = &one.Spec.Template
	case "PersistentVolumeClaim":
		d.claim(decode[corev1.PersistentVolumeClaim](t, content))
	case "PersistentVolume":
		d.storage = append(d.storage, decode[corev1.PersistentVolume](t, content))
	}
}

// waits is the storage class of claims without a volume: the volume is made where the pod is.
const waits = "waits"

func (d *dump) claim(one *corev1.PersistentVolumeClaim) {
	if one.Spec.VolumeName != "" {
		metav1.SetMetaDataAnnotation(&one.ObjectMeta, volume.AnnBindCompleted, "yes")
	} else {
		class := waits
		one.Spec.StorageClassName = &class
	}
	d.claims[one.Namespace+"/"+one.Name] = one
}

// storageObjects are the volumes, the claims, and a class whose volumes are made where their pods are.
func (d *dump) storageObjects() []runtime.Object {
	mode := storagev1.VolumeBindingWaitForFirstConsumer
	all := append(slices.Clone(d.storage), &storagev1.StorageClass{
		ObjectMeta: metav1.ObjectMeta{Name: waits}, Provisioner: "example.com/disks", VolumeBindingMode: &mode,
	})
	for _, one := range d.claims {
		all = append(all, one)
	}
	return all
}

// owner of a workload's name: "statefulset shop/db (db-0)" is of "statefulset shop/db".
func owner(workload string) string {
	name, _, _ := strings.Cut(workload, " (")
	return name
}

func namespaceOf(workload string) string {
	_, name, _ := strings.Cut(owner(workload), " ")
	namespace, _, _ := strings.Cut(name, "/")
	return namespace
}

// newPod makes a pod as the API server would from the template of a controller.
func (d *dump) newPod(t *testing.T, workload, name string) *corev1.Pod {
	template := d.templates[owner(workload)]
	if template == nil {
		t.Fatalf("the dump has no template of %s", workload)
	}
	pod := &corev1.Pod{ObjectMeta: *template.ObjectMeta.DeepCopy(), Spec: *template.Spec.DeepCopy()}
	pod.Namespace, pod.Name = namespaceOf(workload), name
	for _, claim := range d.claimTemplates[owner(workload)] {
		made := claim.DeepCopy()
		made.Namespace, made.Name = pod.Namespace, claim.Name+"-"+name
		if d.claims[made.Namespace+"/"+made.Name] == nil {
			d.claim(made)
		}
		pod.Spec.Volumes = append(pod.Spec.Volumes, corev1.Volume{Name: claim.Name, VolumeSource: corev1.VolumeSource{
			PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: made.Name},
		}})
	}
	return completed(pod)
}

// completed sets what the API server sets by default, such as requests where there are only limits.
func completed(pod *corev1.Pod) *corev1.Pod {
	pod.UID = types.UID(fmt.Sprintf("%s/%s", pod.Namespace, pod.Name))
	defaults.SetObjectDefaults_Pod(pod)
	return pod
}

// released: the pod uses nothing any more.
func released(pod *corev1.Pod) bool {
	return pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed
}
