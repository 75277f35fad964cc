package clients

import (
	"context"
	"fmt"
	"net"
	"os"
	"strconv"
	"sync"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
)

var (
	env    *envtest.Environment
	config *rest.Config
	direct client.Client
	cached client.Client
	scheme = runtime.NewScheme()
	said   = &warnings{}
)

func TestMain(m *testing.M) {
	ctrl.SetLogger(klog.Background())
	code, err := run(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// run starts what a scaffolded suite_test.go starts: the environment, with definitions and webhooks, and the manager.
func run(m *testing.M) (code int, err error) {
	for _, add := range []func(*runtime.Scheme) error{clientgoscheme.AddToScheme, addToScheme} {
		if err := add(scheme); err != nil {
			return 0, err
		}
	}
	begin := time.Now()
	env = &envtest.Environment{
		Scheme:                   scheme,
		CRDDirectoryPaths:        []string{"testdata/crds"},
		ErrorIfCRDPathMissing:    true,
		WebhookInstallOptions:    envtest.WebhookInstallOptions{Paths: []string{"testdata/webhooks"}},
		AttachControlPlaneOutput: os.Getenv("SHOW_CONTROL_PLANE") != "",
	}
	if config, err = env.Start(); err != nil {
		return 0, err
	}
	fmt.Printf("the environment was ready after %v\n", time.Since(begin).Round(time.Millisecond))
	defer func() {
		stopping := time.Now()
		if stopErr := env.Stop(); err == nil {
			err = stopErr
		}
		fmt.Printf("the environment was gone after %v\n", time.Since(stopping).Round(time.Millisecond))
	}()
	config.WarningHandler = said
	if direct, err = client.New(config, client.Options{Scheme: scheme}); err != nil {
		return 0, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	stopped, err := startManager(ctx)
	if err == nil {
		code = m.Run()
	}
	cancel()
	stopped.Wait()
	return code, err
}

func startManager(ctx context.Context) (*sync.WaitGroup, error) {
	stopped := &sync.WaitGroup{}
	options := env.WebhookInstallOptions
	mgr, err := ctrl.NewManager(config, ctrl.Options{
		Scheme:  scheme,
		Metrics: metricsserver.Options{BindAddress: "0"},
		WebhookServer: webhook.NewServer(webhook.Options{
			Host:    options.LocalServingHost,
			Port:    options.LocalServingPort,
			CertDir: options.LocalServingCertDir,
		}),
	})
	if err != nil {
		return stopped, err
	}
	cached = mgr.GetClient()
	if err := (&reconciler{mgr.GetClient()}).setUp(mgr); err != nil {
		return stopped, err
	}
	if err := (hooks{}).setUp(mgr); err != nil {
		return stopped, err
	}
	stopped.Go(func() {
		if err := mgr.Start(ctx); err != nil {
			fmt.Fprintln(os.Stderr, "manager:", err)
		}
	})
	address := net.JoinHostPort(options.LocalServingHost, strconv.Itoa(options.LocalServingPort))
	for range 200 {
		if connection, err := net.Dial("tcp", address); err == nil {
			return stopped, connection.Close()
		}
		time.Sleep(20 * time.Millisecond)
	}
	return stopped, fmt.Errorf("no webhook server at %s", address)
}

// warnings keeps what the server warned of.
type warnings struct {
	mutex sync.Mutex
	texts []string
}

// HandleWarningHeader implements rest.WarningHandler.
func (w *warnings) HandleWarningHeader(_ int, _ string, text string) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.texts = append(w.texts, text)
}

func (w *warnings) taken() []string {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	texts := w.texts
	w.texts = nil
	return texts
}

func widget(name string, spec WidgetSpec) *Widget {
	return &Widget{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name}, Spec: spec}
}

// eventually asks again until the condition holds, for ten seconds.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if holds() {
			return
		}
	}
	t.Fatalf("never: %s", what)
}
