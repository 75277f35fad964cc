import { expect, test } from 'vitest';
import { selectRelease } from '../../../../src/app/cli/envtest/kube-apiserver.ts';

const known = 'is no release that kadmit knows: 1.33, 1.34, 1.35, 1.36, 1.37';

test.each([
  ['/a/dist/envtest/kube-apiserver', '', 'v1.37.2', ''],
  ['/a/dist/envtest/kube-apiserver', '1.33', 'v1.33.0', '1.33'],
  ['/a/dist/envtest/kube-apiserver', 'v1.34.1', 'v1.34.1', 'v1.34.1'],
  ['/a/dist/envtest/kube-apiserver', '1.36', 'v1.36.2', '1.36'],
  ['/home/me/.local/share/kubebuilder-envtest/k8s/1.33.0-linux-amd64/kube-apiserver', '', 'v1.33.0', '1.33.0'],
  ['/bin/k8s/1.35.1-darwin-arm64/kube-apiserver', '', 'v1.35.1', '1.35.1'],
  // What is said goes before where it lies.
  ['/bin/k8s/1.33.0-linux-amd64/kube-apiserver', '1.36', 'v1.36.2', '1.36'],
  // A folder above is none of versions.
  ['/bin/1.33.0-linux-amd64/sub/kube-apiserver', '', 'v1.37.2', ''],
])('%s with %j is Kubernetes %s', (program, variable, version, argument) => {
  expect(selectRelease(program, variable)).toEqual({ outcome: 'known', version, argument });
});

test.each([
  ['/a/kube-apiserver', '1.32', `KADMIT_KUBERNETES_VERSION: "1.32" ${known}`],
  [
    '/k8s/1.32.0-linux-amd64/kube-apiserver',
    '',
    `the folder of /k8s/1.32.0-linux-amd64/kube-apiserver: "1.32.0" ${known}`,
  ],
])('%s with %j is refused', (program, variable, problem) => {
  expect(selectRelease(program, variable)).toEqual({ outcome: 'unknown', problem });
});
