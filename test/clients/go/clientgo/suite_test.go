// Package clientgo uses client-go as programs without controller-runtime do. It is compiled against several of its minor
// versions (the go-*.mod files beside its module), so it keeps to what all of them have.
package clientgo

import (
	"context"
	"fmt"
	"net"
	"os"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
)

var (
	config *rest.Config
	kube   *kubernetes.Clientset
)

func TestMain(m *testing.M) {
	ctrl.SetLogger(klog.Background())
	env := &envtest.Environment{CRDDirectoryPaths: []string{"../testdata/crds"}, ErrorIfCRDPathMissing: true}
	var err error
	if config, err = env.Start(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	config.QPS = -1
	kube = kubernetes.NewForConfigOrDie(config)
	code := m.Run()
	if err := env.Stop(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// namespace makes one that only this test uses.
func namespace(t *testing.T) string {
	t.Helper()
	sent := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: "test-"}}
	made, err := kube.CoreV1().Namespaces().Create(t.Context(), sent, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return made.Name
}

func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(60 * time.Second); !holds(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not within a minute: %s", what)
		}
	}
}

// connections are those of one configuration; cut ends them as a lost network does.
type connections struct {
	sync.Mutex
	open map[net.Conn]bool
}

func protobuf(from *rest.Config) *rest.Config {
	own := rest.CopyConfig(from)
	own.ContentType = "application/vnd.kubernetes.protobuf"
	own.AcceptContentTypes = "application/vnd.kubernetes.protobuf,application/json"
	return own
}

func cuttable(from *rest.Config) (*rest.Config, *connections) {
	all := &connections{open: map[net.Conn]bool{}}
	own := rest.CopyConfig(from)
	own.Dial = func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := (&net.Dialer{}).DialContext(ctx, network, address)
		if err == nil {
			all.Lock()
			all.open[conn] = true
			all.Unlock()
		}
		return conn, err
	}
	return own, all
}

func (all *connections) cut() int {
	all.Lock()
	defer all.Unlock()
	count := len(all.open)
	for conn := range all.open {
		_ = conn.Close()
	}
	clear(all.open)
	return count
}
