package clientgo

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	apiwatch "k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/disk"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/restmapper"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/pager"
	"k8s.io/client-go/tools/remotecommand"
	"k8s.io/client-go/tools/watch"
)

func TestPagesOfALongList(t *testing.T) {
	ns := namespace(t)
	create(t, ns, 1200)
	pages := pager.New(pager.SimplePageFunc(func(options metav1.ListOptions) (runtime.Object, error) {
		return kube.CoreV1().ConfigMaps(ns).List(t.Context(), options)
	}))
	pages.PageSize = 500
	seen := 0
	err := pages.EachListItem(t.Context(), metav1.ListOptions{LabelSelector: "part in (1,2,3)"}, func(runtime.Object) error {
		seen++
		return nil
	})
	if err != nil || seen != 360 {
		t.Errorf("%d objects: %v", seen, err)
	}
	first, err := kube.CoreV1().ConfigMaps(ns).List(t.Context(), metav1.ListOptions{Limit: 500})
	if err != nil || first.RemainingItemCount == nil || *first.RemainingItemCount != 700 {
		t.Errorf("what remains: %v %v", first.RemainingItemCount, err)
	}
	partial, err := metadata.NewForConfigOrDie(config).Resource(schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}).
		Namespace(ns).List(t.Context(), metav1.ListOptions{Limit: 1})
	if err != nil || len(partial.Items) != 1 || partial.Items[0].Kind != "PartialObjectMetadata" {
		t.Errorf("metadata: %v %v", partial, err)
	}
}

func TestDiscoveryIsCached(t *testing.T) {
	folder := t.TempDir()
	cached, err := disk.NewCachedDiscoveryClientForConfig(config, folder, folder, time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	mapper := restmapper.NewDeferredDiscoveryRESTMapper(cached)
	expander := restmapper.NewShortcutExpander(mapper, cached, func(string) {})
	for short, want := range map[string]string{"deploy": "deployments", "cm": "configmaps", "widget": "widgets", "vwc": "", "crd": "customresourcedefinitions"} {
		found, err := expander.ResourceFor(schema.GroupVersionResource{Resource: short})
		if (want == "") != meta.IsNoMatchError(err) || (err == nil && found.Resource != want) {
			t.Errorf("%s is %v: %v", short, found, err)
		}
	}
	lists, err := discovery.ServerPreferredResources(cached)
	if err != nil {
		t.Fatal(err)
	}
	var kinds []string
	for _, list := range lists {
		for _, resource := range list.APIResources {
			kinds = append(kinds, list.GroupVersion+" "+resource.Kind)
		}
	}
	for _, kind := range []string{"apps/v1 Deployment", "v1 Pod", "shop.example.com/v1 Widget", "admissionregistration.k8s.io/v1 ValidatingAdmissionPolicy"} {
		if !slices.Contains(kinds, kind) {
			t.Errorf("%s is not preferred", kind)
		}
	}
	version, err := cached.ServerVersion()
	if err != nil || version.Major != "1" {
		t.Errorf("version %v: %v", version, err)
	}
	document, err := discovery.NewDiscoveryClientForConfigOrDie(config).OpenAPISchema()
	if err != nil || len(document.Definitions.AdditionalProperties) < 500 {
		t.Errorf("OpenAPI: %v", err)
	}
	paths, err := cached.OpenAPIV3().Paths()
	if err != nil || paths["apis/shop.example.com/v1"] == nil {
		t.Errorf("OpenAPI v3 has %d paths: %v", len(paths), err)
	}
}

// What is too old is said as client-go expects it, and a watch that is cut goes on where it was.
func TestWatchesGoOn(t *testing.T) {
	ns := namespace(t)
	list, err := kube.CoreV1().ConfigMaps(ns).List(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	own, all := cuttable(config)
	client := kubernetes.NewForConfigOrDie(own).CoreV1().ConfigMaps(ns)
	// Its form with a context came with client-go 0.33.
	follow := func(options metav1.ListOptions) (apiwatch.Interface, error) {
		return client.Watch(t.Context(), options)
	}
	watcher, err := watch.NewRetryWatcher(list.ResourceVersion, &cache.ListWatch{WatchFunc: follow})
	if err != nil {
		t.Fatal(err)
	}
	defer watcher.Stop()
	for i := range 30 {
		if i%10 == 5 {
			all.cut()
		}
		object := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprint("w-", i)}}
		if _, err := kube.CoreV1().ConfigMaps(ns).Create(t.Context(), object, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		event := <-watcher.ResultChan()
		if got, ok := event.Object.(*corev1.ConfigMap); !ok || got.Name != object.Name {
			t.Fatalf("%d: %s %v", i, event.Type, event.Object)
		}
	}
	// client-go would ask ten times: the answer says when to come again.
	future := metav1.ListOptions{ResourceVersion: "999999999", ResourceVersionMatch: metav1.ResourceVersionMatchNotOlderThan}
	err = kube.CoreV1().RESTClient().Get().Namespace(ns).Resource("configmaps").VersionedParams(&future, scheme.ParameterCodec).
		MaxRetries(0).Do(t.Context()).Error()
	if !apierrors.IsTimeout(err) || !apierrors.HasStatusCause(err, metav1.CauseTypeResourceVersionTooLarge) {
		t.Errorf("from the future: %v", err)
	}
}

// No container runs here: both protocols return that error.
func TestExecIsRefused(t *testing.T) {
	ns := namespace(t)
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "p"}, Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "main", Image: "image"}}}}
	if _, err := kube.CoreV1().Pods(ns).Create(t.Context(), pod, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	target := kube.CoreV1().RESTClient().Post().Resource("pods").Namespace(ns).Name("p").SubResource("exec").
		VersionedParams(&corev1.PodExecOptions{Command: []string{"true"}, Stdout: true}, scheme.ParameterCodec).URL()
	bySpdy, err := remotecommand.NewSPDYExecutor(config, "POST", target)
	if err != nil {
		t.Fatal(err)
	}
	byWebsocket, err := remotecommand.NewWebSocketExecutor(config, "GET", target.String())
	if err != nil {
		t.Fatal(err)
	}
	for name, executor := range map[string]remotecommand.Executor{"SPDY": bySpdy, "WebSocket": byWebsocket} {
		var out bytes.Buffer
		err := executor.StreamWithContext(t.Context(), remotecommand.StreamOptions{Stdout: &out})
		if err == nil || !strings.Contains(err.Error(), "pod p does not have a host assigned") {
			t.Errorf("%s: %v", name, err)
		}
	}
	logs, err := kube.CoreV1().Pods(ns).GetLogs("p", &corev1.PodLogOptions{}).DoRaw(t.Context())
	if err != nil || len(logs) > 0 {
		t.Errorf("logs of a Pod without a node: %q, %v", logs, err)
	}
}
