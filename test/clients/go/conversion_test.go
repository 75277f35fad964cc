package clients

import (
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func TestVersionsAreConverted(t *testing.T) {
	name := metav1.ObjectMeta{Namespace: "default", Name: "converted", Labels: map[string]string{"a": "b"}}
	old := &OldGadget{ObjectMeta: name, Dimensions: "3x4"}
	if err := direct.Create(t.Context(), old); err != nil {
		t.Fatal(err)
	}
	if old.Dimensions != "3x4" {
		t.Errorf("it came back as %+v", old)
	}
	var stored Gadget
	key := client.ObjectKeyFromObject(old)
	if err := direct.Get(t.Context(), key, &stored); err != nil {
		t.Fatal(err)
	}
	if stored.Width != 3 || stored.Height != 4 || stored.Labels["a"] != "b" || stored.UID != old.UID {
		t.Errorf("stored as %+v", stored)
	}
	stored.Height = 5
	if err := direct.Update(t.Context(), &stored); err != nil {
		t.Fatal(err)
	}
	if err := direct.Get(t.Context(), key, old); err != nil || old.Dimensions != "3x5" {
		t.Errorf("read again: %v %+v", err, old)
	}
	wrong := &OldGadget{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "wrong"}, Dimensions: "wide"}
	err := direct.Create(t.Context(), wrong)
	const says = "conversion webhook for shop.example.com/v1, Kind=Gadget failed: strconv.Atoi"
	if err == nil || !strings.Contains(err.Error(), says) {
		t.Errorf("what cannot be converted: %v", err)
	}
}
