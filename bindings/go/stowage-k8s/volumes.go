package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
)

// storage is the claims, by namespace and name, and the volumes, by name.
type storage struct {
	claims  map[string]*corev1.PersistentVolumeClaim
	volumes map[string]*corev1.PersistentVolume
}

// within says that the volume of a claim can be used only on nodes that meet one of the terms.
type within struct {
	claim string
	terms []corev1.NodeSelectorTerm
}

func newStorage(from *objects) *storage {
	s := &storage{map[string]*corev1.PersistentVolumeClaim{}, map[string]*corev1.PersistentVolume{}}
	for k := range from.claims {
		s.claims[from.claims[k].Namespace+"/"+from.claims[k].Name] = &from.claims[k]
	}
	for k := range from.volumes {
		s.volumes[from.volumes[k].Name] = &from.volumes[k]
	}
	return s
}

// volumeTerms are the lists of terms that a volume imposes: its node affinity, and the zone and region of its labels, in which
// "__" separates several.
func volumeTerms(from *corev1.PersistentVolume) (all [][]corev1.NodeSelectorTerm) {
	if affinity := from.Spec.NodeAffinity; affinity != nil && affinity.Required != nil {
		all = append(all, affinity.Required.NodeSelectorTerms)
	}
	for _, key := range []string{corev1.LabelTopologyZone, corev1.LabelTopologyRegion} {
		if values := from.Labels[key]; values != "" {
			all = append(all, []corev1.NodeSelectorTerm{{MatchExpressions: []corev1.NodeSelectorRequirement{
				{Key: key, Operator: corev1.NodeSelectorOpIn, Values: strings.Split(values, "__")},
			}}})
		}
	}
	return all
}

// of returns where the volume of a claim can be used. A claim without a volume gets one where its pod is; known is false where
// the claim or its volume is not in the input.
func (s *storage) of(namespace, claim string) (all []within, known bool) {
	found := s.claims[namespace+"/"+claim]
	if found == nil {
		return nil, false
	}
	if found.Spec.VolumeName == "" {
		return nil, true
	}
	volume := s.volumes[found.Spec.VolumeName]
	if volume == nil {
		return nil, false
	}
	for _, terms := range volumeTerms(volume) {
		all = append(all, within{claim, terms})
	}
	return all, true
}

// placesOf returns where the claims that a template names can be used. Ephemeral volumes are made with each pod, and bind
// nothing.
func (c *cluster) placesOf(one *workload, spec *corev1.PodSpec) (all []within) {
	for _, volume := range spec.Volumes {
		if volume.PersistentVolumeClaim != nil {
			found, known := c.storage.of(one.namespace, volume.PersistentVolumeClaim.ClaimName)
			if !known {
				c.leaveOut("%s: where its volumes are", one)
			}
			all = append(all, found...)
		}
	}
	return all
}

// statefulSet makes one workload, or several where the claims of its pods are at different places.
func (c *collector) statefulSet(from *appsv1.StatefulSet) {
	whole := c.make("statefulset", from.ObjectMeta, &from.Spec.Template, from.Spec.Replicas)
	if len(from.Spec.VolumeClaimTemplates) == 0 {
		return
	}
	if len(c.storage.claims) == 0 {
		c.leaveOut("%s: where its volumes are", whole)
		return
	}
	first := int32(0)
	if from.Spec.Ordinals != nil {
		first = from.Spec.Ordinals.Start
	}
	var keys []string
	places, members := map[string][]within{}, map[string][]string{}
	for ordinal := first; ordinal < first+whole.replicas; ordinal++ {
		pod := fmt.Sprintf("%s-%d", from.Name, ordinal)
		all := slices.Clone(whole.within)
		for k := range from.Spec.VolumeClaimTemplates {
			claim := from.Spec.VolumeClaimTemplates[k].Name + "-" + pod
			// A claim that is not there is made with the pod.
			found, known := c.storage.of(from.Namespace, claim)
			if !known && c.storage.claims[from.Namespace+"/"+claim] != nil {
				c.leaveOut("%s: where its volumes are", whole)
			}
			all = append(all, found...)
		}
		key := placeKey(all)
		if members[key] == nil {
			keys = append(keys, key)
		}
		places[key], members[key] = all, append(members[key], pod)
	}
	for k, key := range keys {
		one := whole
		if k > 0 {
			copied := *whole
			one = &copied
			one.running = map[int]uint32{}
		}
		one.within, one.replicas, one.members = places[key], int32(len(members[key])), members[key]
		if len(keys) > 1 {
			one.part = partName(members[key])
		}
		if k > 0 {
			c.add(one)
		}
		for _, pod := range members[key] {
			c.byPod[from.Namespace+"/"+pod] = one
		}
	}
}

// partName names the pods of a part, if they are few.
func partName(pods []string) string {
	if len(pods) > 3 {
		return fmt.Sprintf(" (%s and %d more)", pods[0], len(pods)-1)
	}
	return " (" + strings.Join(pods, ", ") + ")"
}

// placeKey is the same for the same places, whatever the names of the claims.
func placeKey(all []within) string {
	var terms [][]corev1.NodeSelectorTerm
	for _, one := range all {
		terms = append(terms, one.terms)
	}
	key, _ := json.Marshal(terms)
	return string(key)
}

// refusals are all reasons why a node excludes the pods of a workload: those of its template, host ports that go with the node,
// and its volumes.
func (w *workload) refusals(at ground) ([]refusal, error) {
	all, err := refusals(w.spec, at)
	if err != nil {
		return nil, err
	}
	if part := w.sharing.tooLarge; part != "" {
		all = append(all, refusal{its: "no single device has " + part, with: "without a single device that has " + part})
	}
	all = append(all, affinityRefusals(w.spec, at)...)
	all = append(all, portRefusals(w.spec, at)...)
	for _, place := range w.within {
		met, keys, err := meetsOne(place.terms, at)
		if err != nil {
			return nil, fmt.Errorf("volume of claim %s %w", place.claim, err)
		}
		if !met {
			by := strings.Join(keys, ", ")
			all = append(all, refusal{its: "the volume of claim " + place.claim + " is elsewhere by " + by, with: "where its volume cannot be used, by " + by})
		}
	}
	return all, nil
}
