// Helm and kustomize, as Go programs use them, against a running kadmit whose kubeconfig is in KUBECONFIG.
package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

const namespace = "default"

func main() {
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	if err == nil {
		err = all(context.Background(), config)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println("all is well")
}

func all(ctx context.Context, config *rest.Config) error {
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	if err := releases(ctx, client); err != nil {
		return fmt.Errorf("helm: %w", err)
	}
	if err := overlay(ctx, config); err != nil {
		return fmt.Errorf("kustomize: %w", err)
	}
	return expect(ctx, client, "prod-settings", "prod")
}

// expect looks into a ConfigMap that was deployed.
func expect(ctx context.Context, client kubernetes.Interface, name, stage string) error {
	found, err := client.CoreV1().ConfigMaps(namespace).Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		return err
	}
	if found.Data["stage"] != stage {
		return fmt.Errorf("%s says %q, not %q", name, found.Data["stage"], stage)
	}
	return nil
}

func says(err error, text string) error {
	if err == nil || !strings.Contains(err.Error(), text) {
		return fmt.Errorf("%v does not say %q", err, text)
	}
	return nil
}
