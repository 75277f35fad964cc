import { expect, test } from 'vitest';
import {
  type KnownResource,
  namedResource,
  qualifiedResourceName,
} from '../../../../src/adapters/config/kubeconfig/discovery.ts';

const resource = (over: Partial<KnownResource>): KnownResource => ({
  group: '',
  version: 'v1',
  resource: 'pods',
  kind: 'Pod',
  namespaced: true,
  otherNames: ['pod', 'po'],
  ...over,
});

const known = [
  resource({}),
  resource({ resource: 'events', kind: 'Event', otherNames: ['event', 'ev'] }),
  resource({ group: 'apps', resource: 'deployments', kind: 'Deployment', otherNames: ['deployment', 'deploy'] }),
  resource({ group: 'events.k8s.io', resource: 'events', kind: 'Event', otherNames: ['event', 'ev'] }),
];

// What kubectl takes: k8s.io/apimachinery pkg/api/meta/restmapper.go, k8s.io/client-go restmapper/shortcut.go.
test.each([
  ['pods', 'pods'],
  ['po', 'pods'],
  ['Pod', 'pods'],
  ['deploy', 'deployments.apps'],
  ['deployment.apps', 'deployments.apps'],
  ['deployments.v1.apps', 'deployments.apps'],
  ['ev', 'events'],
  ['events.events.k8s.io', 'events.events.k8s.io'],
])('%s is %s', (word, name) => {
  expect(qualifiedResourceName(namedResource(word, known))).toBe(name);
});

test.each([
  ['podz', 'there is no resource "podz" on this server; did you mean "pods"?'],
  ['pods.apps', 'there is no resource "pods.apps" on this server; did you mean "pods"?'],
  ['deployments.v2.apps', 'there is no resource "deployments.v2.apps" on this server; did you mean "deployments"?'],
  ['constructor', 'there is no resource "constructor" on this server; there is pods, pod, po'],
])('%s is nothing here', (word, message) => {
  expect(() => namedResource(word, word === 'constructor' ? known.slice(0, 1) : known)).toThrow(message);
});
