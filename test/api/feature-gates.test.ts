import { expect, test } from 'vitest';
import { currentRelease } from '../../src/api/release/current-release.ts';

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
  expect(currentRelease.readFeatureGates([text])).toEqual({ outcome: 'wrong', error });
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
  ['nobody knows it', [], 'Nope', false],
])('%s', (_fact, texts, gate, isOn) => {
  const reading = currentRelease.readFeatureGates(texts);
  expect(reading).toMatchObject({ outcome: 'read' });
  expect(reading.outcome === 'read' && reading.gates.isOn(gate)).toBe(isOn);
});
