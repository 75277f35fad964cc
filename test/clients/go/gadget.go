package clients

import (
	"strconv"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/conversion"
)

// OldGadget is the first version of gadgets.shop.example.com: its dimensions are one text, such as 3x4.
type OldGadget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Dimensions string `json:"dimensions"`
}

// Gadget is the second version, which is stored.
type Gadget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Width  int `json:"width"`
	Height int `json:"height"`
}

// Hub marks the version that others convert through.
func (*Gadget) Hub() {}

// ConvertTo implements conversion.Convertible.
func (g *OldGadget) ConvertTo(hub conversion.Hub) error {
	to := hub.(*Gadget)
	g.ObjectMeta.DeepCopyInto(&to.ObjectMeta)
	width, height, _ := strings.Cut(g.Dimensions, "x")
	var err error
	if to.Width, err = strconv.Atoi(width); err != nil {
		return err
	}
	to.Height, err = strconv.Atoi(height)
	return err
}

// ConvertFrom implements conversion.Convertible.
func (g *OldGadget) ConvertFrom(hub conversion.Hub) error {
	from := hub.(*Gadget)
	from.ObjectMeta.DeepCopyInto(&g.ObjectMeta)
	g.Dimensions = strconv.Itoa(from.Width) + "x" + strconv.Itoa(from.Height)
	return nil
}

// DeepCopyObject implements runtime.Object.
func (g *OldGadget) DeepCopyObject() runtime.Object {
	out := *g
	g.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// DeepCopyObject implements runtime.Object.
func (g *Gadget) DeepCopyObject() runtime.Object {
	out := *g
	g.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	return &out
}
