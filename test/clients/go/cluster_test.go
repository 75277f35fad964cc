package clients

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

func TestUsersComeThroughCertificates(t *testing.T) {
	user, err := env.AddUser(envtest.User{Name: "alice", Groups: []string{"shop"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	alice, err := client.New(user.Config(), client.Options{Scheme: scheme})
	if err != nil {
		t.Fatal(err)
	}
	var list WidgetList
	err = alice.List(t.Context(), &list, client.InNamespace("default"))
	const says = `widgets.shop.example.com is forbidden: User "alice" cannot list resource "widgets" in API group "shop.example.com" in the namespace "default"`
	if err == nil || err.Error() != says {
		t.Errorf("alice: %v", err)
	}
	name := metav1.ObjectMeta{Namespace: "default", Name: "shop"}
	role := &rbacv1.Role{ObjectMeta: name, Rules: []rbacv1.PolicyRule{
		{Verbs: []string{"get", "list"}, APIGroups: []string{groupVersion.Group}, Resources: []string{"widgets"}},
	}}
	binding := &rbacv1.RoleBinding{
		ObjectMeta: name,
		Subjects:   []rbacv1.Subject{{Kind: "Group", APIGroup: rbacv1.GroupName, Name: "shop"}},
		RoleRef:    rbacv1.RoleRef{Kind: "Role", APIGroup: rbacv1.GroupName, Name: "shop"},
	}
	for _, object := range []client.Object{role, binding} {
		if err := direct.Create(t.Context(), object); err != nil {
			t.Fatal(err)
		}
	}
	eventually(t, "alice may list", func() bool {
		return alice.List(t.Context(), &list, client.InNamespace("default")) == nil
	})
	kubectl, err := user.Kubectl()
	if err != nil {
		t.Fatal(err)
	}
	out, problems, err := kubectl.Run("auth", "whoami", "-o", "jsonpath={.status.userInfo.username}")
	if text := textOf(out); err != nil || text != "alice" {
		t.Errorf("kubectl: %v %s %s", err, text, textOf(problems))
	}
}

func textOf(reader io.Reader) string {
	text, _ := io.ReadAll(reader)
	return string(text)
}

// There are no controllers beside the API server: no ServiceAccount comes by itself, and no namespace goes.
func TestServiceAccountsAndTheirTokens(t *testing.T) {
	account := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "default"}}
	if err := direct.Create(t.Context(), account); err != nil {
		t.Fatal(err)
	}
	request := &authenticationv1.TokenRequest{}
	if err := direct.SubResource("token").Create(t.Context(), account, request); err != nil {
		t.Fatal(err)
	}
	bearer := rest.AnonymousClientConfig(config)
	bearer.BearerToken = request.Status.Token
	as, err := client.New(bearer, client.Options{Scheme: scheme})
	if err != nil {
		t.Fatal(err)
	}
	review := &authenticationv1.SelfSubjectReview{}
	if err := as.Create(t.Context(), review); err != nil {
		t.Fatal(err)
	}
	if name := review.Status.UserInfo.Username; name != "system:serviceaccount:default:default" {
		t.Errorf("the token is of %q", name)
	}
	if audiences := request.Spec.Audiences; len(audiences) != 1 || !strings.HasPrefix(audiences[0], config.Host) {
		t.Errorf("audiences %q, issuer %s", audiences, config.Host)
	}
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "bare"},
		Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "main", Image: "image"}}},
	}
	if err := direct.Create(t.Context(), pod); err != nil || len(pod.Spec.Volumes) != 0 {
		t.Errorf("--disable-admission-plugins=ServiceAccount: %v, volumes %v", err, pod.Spec.Volumes)
	}
}

func TestListsComeInPages(t *testing.T) {
	labels := map[string]string{"set": "pages"}
	for i := range 7 {
		object := &corev1.ConfigMap{
			ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: fmt.Sprintf("page-%d", i), Labels: labels},
		}
		if err := direct.Create(t.Context(), object); err != nil {
			t.Fatal(err)
		}
	}
	var page corev1.ConfigMapList
	var sizes []int
	for more := true; more; more = page.Continue != "" {
		err := direct.List(t.Context(), &page, client.MatchingLabels(labels), client.Limit(3), client.Continue(page.Continue))
		if err != nil {
			t.Fatal(err)
		}
		sizes = append(sizes, len(page.Items))
	}
	if fmt.Sprint(sizes) != "[3 3 1]" {
		t.Errorf("pages of %v", sizes)
	}
	if err := direct.DeleteAllOf(t.Context(), &corev1.ConfigMap{}, client.InNamespace("default"), client.MatchingLabels(labels)); err != nil {
		t.Fatal(err)
	}
	if err := direct.List(t.Context(), &page, client.MatchingLabels(labels)); err != nil || len(page.Items) != 0 {
		t.Errorf("%d are left: %v", len(page.Items), err)
	}
	late := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "late", ResourceVersion: "1"}}
	if err := direct.Update(t.Context(), late); !apierrors.IsNotFound(err) {
		t.Errorf("an update of nothing: %v", err)
	}
}

func TestOneManagerLeads(t *testing.T) {
	leading := make(chan string, 2)
	start := func(name string) (stop func()) {
		lease, renew, retry := 3*time.Second, 2*time.Second, 200*time.Millisecond
		mgr, err := ctrl.NewManager(config, ctrl.Options{
			Scheme:                        scheme,
			Metrics:                       metricsserver.Options{BindAddress: "0"},
			LeaderElection:                true,
			LeaderElectionID:              "shop",
			LeaderElectionNamespace:       "default",
			LeaderElectionReleaseOnCancel: true,
			LeaseDuration:                 &lease,
			RenewDeadline:                 &renew,
			RetryPeriod:                   &retry,
		})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		var stopped sync.WaitGroup
		stopped.Go(func() { _ = mgr.Start(ctx) })
		stopped.Go(func() {
			select {
			case <-mgr.Elected():
				leading <- name
			case <-ctx.Done():
			}
		})
		return func() { cancel(); stopped.Wait() }
	}
	next := func() string {
		select {
		case name := <-leading:
			return name
		case <-time.After(20 * time.Second):
			return "none"
		}
	}
	stopFirst := start("first")
	if leader := next(); leader != "first" {
		t.Fatalf("%s leads", leader)
	}
	stopSecond := start("second")
	defer stopSecond()
	stopFirst()
	if leader := next(); leader != "second" {
		t.Fatalf("then %s leads", leader)
	}
}
