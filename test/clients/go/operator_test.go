package clients

import (
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/util/retry"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func TestWebhooksSpeak(t *testing.T) {
	refusals := []struct {
		name, says string
		spec       WidgetSpec
	}{
		{"by-webhook", `admission webhook "vwidget.kb.io" denied the request: widgets are not puce`, WidgetSpec{Size: 1, Colour: "puce"}},
		{"by-schema", `Widget.shop.example.com "by-schema" is invalid: spec.size: Invalid value: 0: spec.size in body should be greater than or equal to 1`, WidgetSpec{}},
		{"by-rule", `Widget.shop.example.com "by-rule" is invalid: spec: Invalid value: a widget is smaller than 100`, WidgetSpec{Size: 100}},
	}
	for _, one := range refusals {
		err := direct.Create(t.Context(), widget(one.name, one.spec))
		if err == nil || err.Error() != one.says {
			t.Errorf("%s: %v", one.name, err)
		}
	}
	said.taken()
	made := widget("defaulted", WidgetSpec{Size: 2, Colour: "beige"})
	if err := direct.Create(t.Context(), made); err != nil {
		t.Fatal(err)
	}
	if texts := said.taken(); !slices.Equal(texts, []string{"beige goes out of fashion"}) {
		t.Errorf("warnings: %q", texts)
	}
	if made.Spec.Owner != "admin" || !slices.Contains(made.Finalizers, cleanup) {
		t.Errorf("not defaulted: %+v", made)
	}
	patch := client.RawPatch("application/merge-patch+json", []byte(`{"spec":{"size":1}}`))
	if err := direct.Patch(t.Context(), made, patch); !apierrors.IsForbidden(err) {
		t.Errorf("it shrank: %v", err)
	}
}

func TestControllerWorksThroughItsCache(t *testing.T) {
	made := widget("reconciled", WidgetSpec{Size: 3})
	if err := direct.Create(t.Context(), made); err != nil {
		t.Fatal(err)
	}
	if made.Spec.Colour != "white" {
		t.Errorf("the definition's default is missing: %+v", made.Spec)
	}
	key := client.ObjectKeyFromObject(made)
	eventually(t, "the status says ready", func() bool {
		return cached.Get(t.Context(), key, made) == nil && made.Status.Ready
	})
	var owned corev1.ConfigMap
	eventually(t, "there is a ConfigMap", func() bool { return cached.Get(t.Context(), key, &owned) == nil })
	if owned.Data["colour"] != "white" || owned.OwnerReferences[0].UID != made.UID {
		t.Errorf("another ConfigMap: %+v", owned)
	}
	err := retry.RetryOnConflict(retry.DefaultRetry, func() error {
		if err := direct.Get(t.Context(), key, made); err != nil {
			return err
		}
		made.Spec.Colour = "red"
		return direct.Update(t.Context(), made)
	})
	if err != nil {
		t.Fatal(err)
	}
	eventually(t, "the ConfigMap follows", func() bool {
		return cached.Get(t.Context(), key, &owned) == nil && owned.Data["colour"] == "red"
	})
	if err := direct.Delete(t.Context(), &owned); err != nil {
		t.Fatal(err)
	}
	uid := owned.UID
	eventually(t, "it is made again", func() bool {
		return direct.Get(t.Context(), key, &owned) == nil && owned.UID != uid
	})
	if err := direct.Delete(t.Context(), made); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the finalizer lets it go", func() bool {
		return apierrors.IsNotFound(direct.Get(t.Context(), key, made))
	})
}

func TestServerSideApply(t *testing.T) {
	desired := func(spec map[string]any) client.Object {
		object := &unstructured.Unstructured{Object: map[string]any{"spec": spec}}
		object.SetGroupVersionKind(groupVersion.WithKind("Widget"))
		object.SetNamespace("default")
		object.SetName("applied")
		return object
	}
	apply := func(owner string, spec map[string]any, options ...client.ApplyOption) error {
		object := client.ApplyConfigurationFromUnstructured(desired(spec).(*unstructured.Unstructured))
		return direct.Apply(t.Context(), object, append(options, client.FieldOwner(owner))...)
	}
	if err := apply("first", map[string]any{"size": 4, "colour": "red"}); err != nil {
		t.Fatal(err)
	}
	err := apply("second", map[string]any{"size": 4, "colour": "blue"})
	if !apierrors.IsConflict(err) || !strings.Contains(err.Error(), `conflict with "first": .spec.colour`) {
		t.Errorf("no conflict: %v", err)
	}
	if err := apply("second", map[string]any{"size": 4, "colour": "blue"}, client.ForceOwnership); err != nil {
		t.Fatal(err)
	}
	if err := apply("second", map[string]any{"size": 4}); err != nil {
		t.Fatal(err)
	}
	var applied Widget
	if err := direct.Get(t.Context(), client.ObjectKey{Namespace: "default", Name: "applied"}, &applied); err != nil {
		t.Fatal(err)
	}
	if applied.Spec.Colour != "white" {
		t.Errorf("an unowned field has its default again, not %q", applied.Spec.Colour)
	}
}
