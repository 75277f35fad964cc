// Package clients holds a small operator: a kind of its own, a controller, and two webhooks. Its tests run under
// controller-runtime's envtest, as a scaffolded project's do, with kadmit instead of kube-apiserver and etcd.
package clients

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var groupVersion = schema.GroupVersion{Group: "shop.example.com", Version: "v1"}

// Widget is the operator's own kind; testdata/crds/widgets.yaml defines it.
type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   WidgetSpec   `json:"spec"`
	Status WidgetStatus `json:"status,omitempty"`
}

// WidgetSpec is the desired state of a Widget.
type WidgetSpec struct {
	Size   int    `json:"size"`
	Colour string `json:"colour,omitempty"`
	Owner  string `json:"owner,omitempty"`
}

// WidgetStatus is what the controller has seen to.
type WidgetStatus struct {
	Ready bool `json:"ready,omitempty"`
}

// WidgetList is a list of widgets.
type WidgetList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Widget `json:"items"`
}

// DeepCopyObject implements runtime.Object.
func (w *Widget) DeepCopyObject() runtime.Object {
	out := *w
	w.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// DeepCopyObject implements runtime.Object.
func (l *WidgetList) DeepCopyObject() runtime.Object {
	out := *l
	l.ListMeta.DeepCopyInto(&out.ListMeta)
	out.Items = make([]Widget, len(l.Items))
	for i := range l.Items {
		out.Items[i] = *l.Items[i].DeepCopyObject().(*Widget)
	}
	return &out
}

func addToScheme(scheme *runtime.Scheme) error {
	scheme.AddKnownTypes(groupVersion, &Widget{}, &WidgetList{})
	scheme.AddKnownTypeWithName(groupVersion.WithKind("Gadget"), &OldGadget{})
	metav1.AddToGroupVersion(scheme, groupVersion)
	next := schema.GroupVersion{Group: groupVersion.Group, Version: "v2"}
	scheme.AddKnownTypes(next, &Gadget{})
	metav1.AddToGroupVersion(scheme, next)
	return nil
}
