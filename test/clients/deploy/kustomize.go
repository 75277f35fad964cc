package main

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
)

// overlay applies what kustomize makes of a base and its overlay.
func overlay(ctx context.Context, config *rest.Config) error {
	made, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), "testdata/kustomize/overlay")
	if err != nil {
		return err
	}
	found, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		return err
	}
	mapper := restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(found))
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return err
	}
	for _, resource := range made.Resources() {
		content, err := resource.Map()
		if err != nil {
			return err
		}
		object := &unstructured.Unstructured{Object: content}
		kind := object.GroupVersionKind()
		mapping, err := mapper.RESTMapping(kind.GroupKind(), kind.Version)
		if err != nil {
			return err
		}
		options := metav1.ApplyOptions{FieldManager: "kustomize"}
		if _, err := client.Resource(mapping.Resource).Namespace(namespace).Apply(ctx, object.GetName(), object, options); err != nil {
			return err
		}
	}
	return nil
}
