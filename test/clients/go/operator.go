package clients

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

const cleanup = "shop.example.com/cleanup"

// reconciler gives each widget a ConfigMap of its own and says so in its status.
type reconciler struct {
	client.Client
}

func (r *reconciler) setUp(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&Widget{}).Owns(&corev1.ConfigMap{}).Complete(r)
}

// Reconcile implements reconcile.Reconciler.
func (r *reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var widget Widget
	if err := r.Get(ctx, req.NamespacedName, &widget); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !widget.DeletionTimestamp.IsZero() {
		controllerutil.RemoveFinalizer(&widget, cleanup)
		return ctrl.Result{}, client.IgnoreNotFound(r.Update(ctx, &widget))
	}
	config := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: widget.Namespace, Name: widget.Name}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, config, func() error {
		config.Data = map[string]string{"colour": widget.Spec.Colour}
		return controllerutil.SetControllerReference(&widget, config, r.Scheme())
	})
	if err != nil || widget.Status.Ready {
		return ctrl.Result{}, err
	}
	before := widget.DeepCopyObject().(*Widget)
	widget.Status.Ready = true
	return ctrl.Result{}, r.Status().Patch(ctx, &widget, client.MergeFrom(before))
}

// hooks fills in the owner and refuses one colour.
type hooks struct{}

func (hooks) setUp(mgr ctrl.Manager) error {
	if err := ctrl.NewWebhookManagedBy(mgr, &Gadget{}).Complete(); err != nil {
		return err
	}
	return ctrl.NewWebhookManagedBy(mgr, &Widget{}).WithDefaulter(hooks{}).WithValidator(hooks{}).Complete()
}

// Default implements admission.Defaulter.
func (hooks) Default(ctx context.Context, widget *Widget) error {
	req, err := admission.RequestFromContext(ctx)
	if err != nil {
		return err
	}
	if widget.Spec.Owner == "" {
		widget.Spec.Owner = req.UserInfo.Username
	}
	if widget.DeletionTimestamp.IsZero() {
		controllerutil.AddFinalizer(widget, cleanup)
	}
	return nil
}

// ValidateCreate implements admission.Validator.
func (hooks) ValidateCreate(_ context.Context, widget *Widget) (admission.Warnings, error) {
	switch widget.Spec.Colour {
	case "puce":
		return nil, fmt.Errorf("widgets are not %s", widget.Spec.Colour)
	case "beige":
		return admission.Warnings{"beige goes out of fashion"}, nil
	default:
		return nil, nil
	}
}

// ValidateUpdate implements admission.Validator.
func (h hooks) ValidateUpdate(ctx context.Context, before, after *Widget) (admission.Warnings, error) {
	if after.Spec.Size < before.Spec.Size {
		return nil, fmt.Errorf("widgets do not shrink")
	}
	return h.ValidateCreate(ctx, after)
}

// ValidateDelete implements admission.Validator.
func (hooks) ValidateDelete(_ context.Context, widget *Widget) (admission.Warnings, error) {
	if widget.Labels["keep"] == "true" {
		return nil, fmt.Errorf("this one is kept")
	}
	return nil, nil
}
