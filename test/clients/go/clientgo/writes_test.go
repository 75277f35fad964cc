package clientgo

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/wait"
	applycorev1 "k8s.io/client-go/applyconfigurations/core/v1"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/events"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/client-go/util/retry"
)

func widget(name, wanted string) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "shop.example.com/v1",
		"kind":       "Widget",
		"metadata":   map[string]any{"name": name, "labels": map[string]any{"wanted": wanted}},
		"spec":       map[string]any{"size": int64(1)},
	}}
}

func TestTypedWritesInProtobuf(t *testing.T) {
	ns := namespace(t)
	pods := kubernetes.NewForConfigOrDie(protobuf(config)).CoreV1().Pods(ns)
	sent := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "p"}}
	if _, err := pods.Create(t.Context(), sent, metav1.CreateOptions{}); !apierrors.IsInvalid(err) ||
		!strings.Contains(err.Error(), `Pod "p" is invalid: spec.containers: Required value`) {
		t.Errorf("without containers: %v", err)
	}
	sent.Spec.Containers = []corev1.Container{{Name: "main", Image: "image"}}
	made, err := pods.Create(t.Context(), sent, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if made.Spec.RestartPolicy != corev1.RestartPolicyAlways || made.UID == "" {
		t.Errorf("not defaulted: %+v", made)
	}
	made.Status.Phase = corev1.PodRunning
	if made, err = pods.UpdateStatus(t.Context(), made, metav1.UpdateOptions{}); err != nil || made.Status.Phase != corev1.PodRunning {
		t.Errorf("status: %v %s", err, made.Status.Phase)
	}
	if err := pods.Delete(t.Context(), "p", *metav1.NewDeleteOptions(0)); err != nil {
		t.Error(err)
	}
	if _, err := pods.Get(t.Context(), "p", metav1.GetOptions{}); !apierrors.IsNotFound(err) {
		t.Errorf("it is still there: %v", err)
	}
}

func TestManyWritersRetryOnConflict(t *testing.T) {
	client := kube.CoreV1().ConfigMaps(namespace(t))
	if _, err := client.Create(t.Context(), &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "count"}}, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	patient := wait.Backoff{Steps: 100, Duration: 5 * time.Millisecond, Factor: 1, Jitter: 1}
	var writers sync.WaitGroup
	for writer := range 20 {
		writers.Go(func() {
			err := retry.RetryOnConflict(patient, func() error {
				object, err := client.Get(t.Context(), "count", metav1.GetOptions{})
				if err != nil {
					return err
				}
				if object.Data == nil {
					object.Data = map[string]string{}
				}
				object.Data[fmt.Sprint(writer)] = "was here"
				_, err = client.Update(t.Context(), object, metav1.UpdateOptions{})
				return err
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	writers.Wait()
	object, err := client.Get(t.Context(), "count", metav1.GetOptions{})
	if err != nil || len(object.Data) != 20 {
		t.Errorf("%v: %v", err, object.Data)
	}
}

func TestTypedApply(t *testing.T) {
	client := kube.CoreV1().ConfigMaps(namespace(t))
	desired := func(data map[string]string) *applycorev1.ConfigMapApplyConfiguration {
		return applycorev1.ConfigMap("applied", "").WithData(data)
	}
	apply := func(owner string, data map[string]string, force bool) (*corev1.ConfigMap, error) {
		configuration := desired(data)
		configuration.Namespace = nil
		return client.Apply(t.Context(), configuration, metav1.ApplyOptions{FieldManager: owner, Force: force})
	}
	if _, err := apply("first", map[string]string{"a": "1", "b": "1"}, false); err != nil {
		t.Fatal(err)
	}
	if _, err := apply("second", map[string]string{"b": "2"}, false); !apierrors.IsConflict(err) {
		t.Errorf("no conflict: %v", err)
	}
	taken, err := apply("second", map[string]string{"b": "2"}, true)
	if err != nil {
		t.Fatal(err)
	}
	own, err := applycorev1.ExtractConfigMap(taken, "second")
	if err != nil || fmt.Sprint(own.Data) != "map[b:2]" {
		t.Errorf("extracted %v: %v", own, err)
	}
	left, err := apply("first", map[string]string{}, false)
	if err != nil || fmt.Sprint(left.Data) != "map[b:2]" {
		t.Errorf("what the first gave up stays: %v %v", left, err)
	}
	untyped := dynamic.NewForConfigOrDie(config).Resource(widgets).Namespace(left.Namespace)
	if _, err := untyped.Apply(t.Context(), "w", widget("w", "yes"), metav1.ApplyOptions{FieldManager: "first"}); err != nil {
		t.Error(err)
	}
}

func TestEventsAreCounted(t *testing.T) {
	ns := namespace(t)
	pod := &corev1.Pod{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"}, ObjectMeta: metav1.ObjectMeta{Namespace: ns, Name: "p", UID: "u"}}
	broadcaster := events.NewBroadcaster(&events.EventSinkImpl{Interface: kube.EventsV1()})
	if err := broadcaster.StartRecordingToSinkWithContext(t.Context()); err != nil {
		t.Fatal(err)
	}
	defer broadcaster.Shutdown()
	recorder := broadcaster.NewRecorder(scheme.Scheme, "tester")
	for range 3 {
		recorder.Eventf(pod, nil, corev1.EventTypeWarning, "Tried", "Trying", "attempt")
	}
	var list *eventsv1.EventList
	eventually(t, "there is one event with a series", func() bool {
		var err error
		if list, err = kube.EventsV1().Events(ns).List(t.Context(), metav1.ListOptions{}); err != nil {
			t.Fatal(err)
		}
		return len(list.Items) == 1 && list.Items[0].Series != nil && list.Items[0].Series.Count >= 2
	})
	old, err := kube.CoreV1().Events(ns).List(t.Context(), metav1.ListOptions{FieldSelector: "involvedObject.name=p,reason=Tried"})
	if err != nil || len(old.Items) != 1 || old.Items[0].InvolvedObject.UID != "u" {
		t.Errorf("as core/v1: %v %v", old, err)
	}
}

// renewed is a lock that says when its leader has renewed it. Before 0.34 client-go gives a lease back by the version it
// read last, so a leader that is stopped while it renews keeps it until it has run out, with kube-apiserver too.
type renewed struct {
	resourcelock.Interface
	once chan struct{}
}

func (lock renewed) Update(ctx context.Context, record resourcelock.LeaderElectionRecord) error {
	err := lock.Interface.Update(ctx, record)
	select {
	case lock.once <- struct{}{}:
	default:
	}
	return err
}

// A lease of an hour: only one that was given back can be taken.
func TestOneLeads(t *testing.T) {
	ns := namespace(t)
	leading := make(chan string, 2)
	start := func(name string) (context.CancelFunc, <-chan struct{}) {
		ctx, cancel := context.WithCancel(t.Context())
		lock := renewed{once: make(chan struct{}, 1), Interface: &resourcelock.LeaseLock{
			LeaseMeta:  metav1.ObjectMeta{Namespace: ns, Name: "leader"},
			Client:     kube.CoordinationV1(),
			LockConfig: resourcelock.ResourceLockConfig{Identity: name},
		}}
		go leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{
			Lock: lock, LeaseDuration: time.Hour, RenewDeadline: time.Minute, RetryPeriod: 200 * time.Millisecond, ReleaseOnCancel: true,
			Callbacks: leaderelection.LeaderCallbacks{
				OnStartedLeading: func(context.Context) { leading <- name },
				OnStoppedLeading: func() {},
			},
		})
		return cancel, lock.once
	}
	within := func(what string, happens <-chan struct{}) {
		select {
		case <-happens:
		case <-time.After(time.Minute):
			t.Fatalf("not within a minute: %s", what)
		}
	}
	leads := func(wanted string) {
		select {
		case name := <-leading:
			if name != wanted {
				t.Fatalf("%s leads, not %s", name, wanted)
			}
		case <-time.After(time.Minute):
			t.Fatalf("%s does not lead within a minute", wanted)
		}
	}
	stop, renews := start("first")
	leads("first")
	within("it renews its lease", renews)
	stopSecond, _ := start("second")
	defer stopSecond()
	stop()
	leads("second")
}
