package v1

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	batchv1 "example.org/shop/api/v1"
)

// What a user adds to the scaffold first: without a spec of its own the scaffold's suite of webhooks starts nothing.
var _ = Describe("CronJob webhooks behind the API server", func() {
	of := func(name string) *batchv1.CronJob {
		return &batchv1.CronJob{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "default"}}
	}

	It("allow what the validator allows", func() {
		Expect(k8sClient.Create(ctx, of("nightly"))).To(Succeed())
	})

	It("refuse what the validator refuses, in its words", func() {
		Expect(k8sClient.Create(ctx, of("forbidden"))).To(MatchError(
			`admission webhook "vcronjob-v1.kb.io" denied the request: this name is forbidden`))
	})
})
