module kadmit.test/kubectl

go 1.26.0

require (
	k8s.io/client-go v0.37.2
	k8s.io/component-base v0.37.2
	k8s.io/kubectl v0.37.2
)
