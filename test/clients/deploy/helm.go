package main

import (
	"context"
	"fmt"

	"helm.sh/helm/v3/pkg/action"
	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/cli"
	"helm.sh/helm/v3/pkg/release"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

// releases installs, upgrades, rolls back and removes a chart with a definition, a hook and a webhook, which refuses one
// of the upgrades.
func releases(ctx context.Context, client kubernetes.Interface) error {
	hook, err := startWebhook()
	if err != nil {
		return err
	}
	defer hook.Close()
	helm := new(action.Configuration)
	silent := func(string, ...any) {}
	if err := helm.Init(cli.New().RESTClientGetter(), namespace, "secret", silent); err != nil {
		return err
	}
	chart, err := loader.Load("testdata/shop")
	if err != nil {
		return err
	}
	values := func(stage string) map[string]any {
		return map[string]any{"stage": stage, "url": hook.URL, "caBundle": hook.caBundle}
	}
	install := action.NewInstall(helm)
	install.ReleaseName, install.Namespace = "shop", namespace
	if _, err := install.RunWithContext(ctx, chart, values("first")); err != nil {
		return fmt.Errorf("install: %w", err)
	}
	upgrade := action.NewUpgrade(helm)
	upgrade.Namespace = namespace
	if _, err := upgrade.RunWithContext(ctx, "shop", chart, values("second")); err != nil {
		return fmt.Errorf("upgrade: %w", err)
	}
	if err := expect(ctx, client, "shop", "second"); err != nil {
		return err
	}
	_, err = upgrade.RunWithContext(ctx, "shop", chart, values("forbidden"))
	if err := says(err, `admission webhook "stages.shop.example.com" denied the request: there is no stage forbidden`); err != nil {
		return err
	}
	rollback := action.NewRollback(helm)
	rollback.Version = 1
	if err := rollback.Run("shop"); err != nil {
		return fmt.Errorf("rollback: %w", err)
	}
	if err := expect(ctx, client, "shop", "first"); err != nil {
		return err
	}
	if err := expectHistory(helm); err != nil {
		return err
	}
	if _, err := action.NewUninstall(helm).Run("shop"); err != nil {
		return fmt.Errorf("uninstall: %w", err)
	}
	if _, err := client.CoreV1().ConfigMaps(namespace).Get(ctx, "shop", metav1.GetOptions{}); !apierrors.IsNotFound(err) {
		return fmt.Errorf("uninstalled, but %v", err)
	}
	return expect(ctx, client, "shop-before", "before")
}

func expectHistory(helm *action.Configuration) error {
	history, err := action.NewHistory(helm).Run("shop")
	if err != nil {
		return err
	}
	var states []release.Status
	for _, one := range history {
		states = append(states, one.Info.Status)
	}
	if text := fmt.Sprint(states); text != "[superseded superseded failed deployed]" {
		return fmt.Errorf("history: %s", text)
	}
	return nil
}
