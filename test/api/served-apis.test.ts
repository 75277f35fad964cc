import { expect, test } from 'vitest';
import { recordedRelease } from '../harness/recorded-release.ts';

function served(runtimeConfig: readonly string[], featureGates: readonly string[] = []): (path: string) => boolean {
  const features = recordedRelease.readFeatureGates(featureGates);
  if (features.outcome === 'wrong') throw new Error(features.error);
  const apis = recordedRelease.readServedApis(runtimeConfig, features.gates);
  if (apis.outcome === 'wrong') throw new Error(apis.error);
  return (path) => {
    const [resource = '', version = '', group = ''] = path.split('/').toReversed();
    return apis.isServed({ group, version, resource });
  };
}

const claims = 'resource.k8s.io/v1beta1/resourceclaims';
const taints = 'resource.k8s.io/v1alpha3/devicetaintrules';

// Source: apiserver pkg/server/resourceconfig/helpers_test.go, kubernetes pkg/controlplane/instance.go
test.each<[fact: string, config: readonly string[], path: string, isServed: boolean]>([
  ['stable versions by default', [], 'v1/pods', true],
  ['no beta ones', [], claims, false],
  ['all of them', ['api/all=true'], taints, true],
  ['beta ones', ['api/beta=true'], claims, true],
  ['beta ones and no alpha ones', ['api/beta=true'], taints, false],
  ['the later of two patterns counts more', ['api/alpha=false,api/all=true'], taints, false],
  ['a version counts more than a pattern', ['api/beta=false', 'resource.k8s.io/v1beta1=true'], claims, true],
  ['a resource counts more than its version', ['resource.k8s.io/v1beta1=true,' + claims + '=false'], claims, false],
  ['one resource alone', [claims + '=true'], claims, true],
  ['and not its neighbours', [claims + '=true'], 'resource.k8s.io/v1beta1/resourceslices', false],
  ['no value means true', ['resource.k8s.io/v1beta1'], claims, true],
  ['stable ones go too', ['apps/v1=false'], 'apps/v1/deployments', false],
  ['the core group has an empty name', ['/v1=0'], 'v1/pods', false],
  ['so has v1 alone', ['v1=0'], 'v1/pods', false],
  ['a feature that is off', ['api/all=true'], 'certificates.k8s.io/v1beta1/clustertrustbundles', false],
])('%s', (_fact, config, path, isServed) => {
  expect(served(config)(path)).toBe(isServed);
});

test('a resource behind a feature needs both flags', () => {
  const path = 'scheduling.k8s.io/v1alpha2/workloads';
  expect(served([], ['GenericWorkload=true'])(path)).toBe(false);
  expect(served(['scheduling.k8s.io/v1alpha2=true'], ['GenericWorkload=true'])(path)).toBe(true);
});

// Source: apiserver pkg/server/options/api_enablement.go and pkg/server/resourceconfig/helpers.go
test.each([
  ['nosuch.example.com/v1=true', 'unknown api groups nosuch.example.com/v1'],
  ['b.c/v1,a.b/v1/x', 'unknown api groups a.b/v1,b.c/v1'],
  ['api/all=false', 'invalid runtime-config with only api/all=false'],
  ['api/beta=maybe', 'invalid value api/beta=maybe'],
  ['apps/v9=true', 'group version apps/v9 that has not been registered'],
  ['apps/v1=maybe', 'invalid value of apps/v1: maybe, err: strconv.ParseBool: parsing "maybe": invalid syntax'],
  [
    'apps/v1/Deployments=true',
    'invalid key apps/v1/Deployments: group/version/resource and resource is always lowercase plural, not "Deployments"',
  ],
])('--runtime-config=%s: %s', (text, error) => {
  const features = recordedRelease.readFeatureGates([]);
  if (features.outcome === 'wrong') throw new Error(features.error);
  expect(recordedRelease.readServedApis([text], features.gates)).toEqual({ outcome: 'wrong', error });
});

// Source: component-base featuregate/feature_gate.go and compatibility/registry.go
test.each([
  ['Nope=true', 'unrecognized feature gate: Nope'],
  ['ClusterTrustBundle', 'missing bool value for ClusterTrustBundle'],
  [
    'ClusterTrustBundle=yes',
    'invalid value of ClusterTrustBundle=yes, err: strconv.ParseBool: parsing "yes": invalid syntax',
  ],
  ['other:ClusterTrustBundle=true', 'component not registered: other'],
  [
    'kube:ClusterTrustBundle=true,GenericWorkload=true',
    'set kube feature gates with default empty prefix or kube: prefix consistently, do not mix use',
  ],
  ['GangScheduling=true', 'GangScheduling is enabled, but depends on features that are disabled: [GenericWorkload]'],
])('--feature-gates=%s: %s', (text, error) => {
  expect(recordedRelease.readFeatureGates([text])).toEqual({ outcome: 'wrong', error });
});

test.each<[fact: string, texts: readonly string[], gate: string, isOn: boolean]>([
  ['as upstream without a word', [], 'ContextualLogging', true],
  ['off without a word', [], 'GenericWorkload', false],
  ['switched on', ['GenericWorkload=true'], 'GenericWorkload', true],
  ['of the component kube', ['kube:GenericWorkload=t'], 'GenericWorkload', true],
  ['the last word counts', ['GenericWorkload=true', 'GenericWorkload=false'], 'GenericWorkload', false],
  ['all alpha ones', ['AllAlpha=true,AllBeta=true'], 'GenericWorkload', true],
  ['all alpha ones are not the beta ones', ['AllBeta=true'], 'GenericWorkload', false],
  [
    'one alpha gate against all',
    ['AllAlpha=true,AllBeta=true,GangScheduling=false,WorkloadAwarePreemption=false'],
    'GangScheduling',
    false,
  ],
  ['an unknown resource', [], 'Nope', false],
])('%s', (_fact, texts, gate, isOn) => {
  const reading = recordedRelease.readFeatureGates(texts);
  expect(reading).toMatchObject({ outcome: 'read' });
  expect(reading.outcome === 'read' && reading.gates.isOn(gate)).toBe(isOn);
});
