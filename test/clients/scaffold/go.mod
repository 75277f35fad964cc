module kadmit.test/scaffold

go 1.24.6

tool sigs.k8s.io/kubebuilder/v4

require sigs.k8s.io/kubebuilder/v4 v4.10.1
