package clientgo

import (
	"fmt"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/metadata/metadatainformer"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
)

const many = 10_000

// Caches follow 10,000 objects, their changes and their end while connections are lost; each in its own encoding.
func TestInformersFollowManyObjects(t *testing.T) {
	ns := namespace(t)
	create(t, ns, many)
	jsonConfig, jsonConnections := cuttable(config)
	protobufConfig, protobufConnections := cuttable(protobuf(config))
	stop := make(chan struct{})
	defer close(stop)
	begin := time.Now()
	stores := map[string]cache.SharedIndexInformer{
		"json":     informer(jsonConfig, ns, stop),
		"protobuf": informer(protobufConfig, ns, stop),
	}
	for name, one := range stores {
		if !cache.WaitForCacheSync(t.Context().Done(), one.HasSynced) {
			t.Fatalf("%s never synced", name)
		}
		if size := len(one.GetStore().ListKeys()); size != many {
			t.Fatalf("%s holds %d objects", name, size)
		}
	}
	t.Logf("two caches of %d objects after %v", many, time.Since(begin).Round(time.Millisecond))
	for round := range 5 {
		if round%2 == 0 {
			for _, all := range []*connections{jsonConnections, protobufConnections} {
				eventually(t, "there is a connection to cut", func() bool { return all.cut() > 0 })
			}
		}
		change(t, ns, round)
	}
	for name, one := range stores {
		eventually(t, name+" holds what is stored", func() bool { return same(t, ns, one.GetStore()) })
	}
}

func informer(from *rest.Config, ns string, stop chan struct{}) cache.SharedIndexInformer {
	factory := informers.NewSharedInformerFactoryWithOptions(kubernetes.NewForConfigOrDie(from), 0, informers.WithNamespace(ns))
	one := factory.Core().V1().ConfigMaps().Informer()
	factory.Start(stop)
	return one
}

func create(t *testing.T, ns string, count int) {
	t.Helper()
	begin := time.Now()
	var done sync.WaitGroup
	for worker := range 40 {
		done.Go(func() {
			for i := worker; i < count; i += 40 {
				object := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("c-%d", i), Labels: map[string]string{"part": fmt.Sprint(i % 10)}}}
				if _, err := kube.CoreV1().ConfigMaps(ns).Create(t.Context(), object, metav1.CreateOptions{}); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	done.Wait()
	t.Logf("made %d objects in %v", count, time.Since(begin).Round(time.Millisecond))
}

// change touches, removes and adds some.
func change(t *testing.T, ns string, round int) {
	t.Helper()
	client := kube.CoreV1().ConfigMaps(ns)
	for i := round * 40; i < round*40+20; i++ {
		patch := fmt.Appendf(nil, `{"data":{"round":"%d"}}`, round)
		if _, err := client.Patch(t.Context(), fmt.Sprintf("c-%d", i), "application/merge-patch+json", patch, metav1.PatchOptions{}); err != nil {
			t.Fatal(err)
		}
		if err := client.Delete(t.Context(), fmt.Sprintf("c-%d", i+20), metav1.DeleteOptions{}); err != nil {
			t.Fatal(err)
		}
		added := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("added-%d", i)}}
		if _, err := client.Create(t.Context(), added, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
	}
}

func same(t *testing.T, ns string, store cache.Store) bool {
	t.Helper()
	stored, err := kube.CoreV1().ConfigMaps(ns).List(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if len(stored.Items) != len(store.ListKeys()) {
		return false
	}
	for _, object := range stored.Items {
		held, exists, _ := store.GetByKey(ns + "/" + object.Name)
		if !exists || held.(*corev1.ConfigMap).ResourceVersion != object.ResourceVersion {
			return false
		}
	}
	return true
}

var widgets = schema.GroupVersionResource{Group: "shop.example.com", Version: "v1", Resource: "widgets"}

func TestInformersOfWhatHasNoGoType(t *testing.T) {
	ns := namespace(t)
	untyped := dynamic.NewForConfigOrDie(config)
	partial := metadata.NewForConfigOrDie(config)
	selected := func(options *metav1.ListOptions) { options.LabelSelector = "wanted=yes" }
	stop := make(chan struct{})
	defer close(stop)
	byDynamic := dynamicinformer.NewFilteredDynamicSharedInformerFactory(untyped, 0, ns, selected)
	byMetadata := metadatainformer.NewFilteredSharedInformerFactory(partial, 0, ns, selected)
	listers := map[string]cache.GenericLister{
		"dynamic":  byDynamic.ForResource(widgets).Lister(),
		"metadata": byMetadata.ForResource(widgets).Lister(),
	}
	byDynamic.Start(stop)
	byMetadata.Start(stop)
	byDynamic.WaitForCacheSync(stop)
	byMetadata.WaitForCacheSync(stop)
	holds := func(count int) func() bool {
		return func() bool {
			for _, lister := range listers {
				if list, err := lister.List(labels.Everything()); err != nil || len(list) != count {
					return false
				}
			}
			return true
		}
	}
	for _, wanted := range []string{"yes", "no"} {
		if _, err := untyped.Resource(widgets).Namespace(ns).Create(t.Context(), widget("w-"+wanted, wanted), metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	eventually(t, "one is selected", holds(1))
	patch := []byte(`{"metadata":{"labels":{"wanted":"yes"}}}`)
	if _, err := partial.Resource(widgets).Namespace(ns).Patch(t.Context(), "w-no", "application/merge-patch+json", patch, metav1.PatchOptions{}); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the other one joins", holds(2))
	if err := partial.Resource(widgets).Namespace(ns).DeleteCollection(t.Context(), metav1.DeleteOptions{}, metav1.ListOptions{}); err != nil {
		t.Fatal(err)
	}
	eventually(t, "all are gone", holds(0))
}
