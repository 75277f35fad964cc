import { expect, test } from 'vitest';
import type { ConfigurationFiles } from '../../../../src/apiserver/admission/configuration/admission-configuration.ts';
import {
  readEventLimits,
  readImagePolicy,
} from '../../../../src/apiserver/admission/configuration/plugin-configurations.ts';
import type { JsonObject } from '../../../../src/machinery/json/json.ts';

const kubeconfig = JSON.stringify({
  apiVersion: 'v1',
  kind: 'Config',
  'current-context': 'c',
  contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
  clusters: [{ name: 'c', cluster: { server: 'https://127.0.0.1:1/image' } }],
  users: [{ name: 'u', user: {} }],
});
const files: ConfigurationFiles = {
  read: () => ({ ok: true, value: kubeconfig }),
  beside: (_from, path) => path,
  isAbsolute: () => true,
  isFolder: () => ({ ok: true, value: false }),
  hasStaticManifests: false,
};

function imagePolicy(said: JsonObject): unknown {
  const text = JSON.stringify({ imagePolicy: { kubeConfigFile: '/k', ...said } });
  const reading = readImagePolicy(text, files);
  if (!reading.ok) return reading.error;
  const { retryBackoffMs, allowMs, denyMs, defaultAllow } = reading.value;
  return [retryBackoffMs, allowMs, denyMs, defaultAllow];
}

const between = (least: string, most: string, got: string): string =>
  `valid value is between ${least} and ${most}, got ${got}`;

// Source: kubernetes plugin/pkg/admission/imagepolicy/config.go and config_test.go
test.each<[said: JsonObject, read: unknown]>([
  [{}, [500, 300_000, 30_000, false]],
  [{ defaultAllow: true }, [500, 300_000, 30_000, true]],
  [{ defaultAllow: false }, [500, 300_000, 30_000, false]],
  [{ retryBackoff: 0, allowTTL: 0, denyTTL: 0 }, [500, 300_000, 30_000, false]],
  [{ retryBackoff: -1, allowTTL: -1, denyTTL: -1 }, [0, 0, 0, false]],
  [{ retryBackoff: 1, allowTTL: 2, denyTTL: 3 }, [1, 2000, 3000, false]],
  [{ retryBackoff: 300_000, allowTTL: 1800, denyTTL: 1800 }, [300_000, 1_800_000, 1_800_000, false]],
  [{ retryBackoff: 300_001 }, between('1ns', '5m0s', '5m0.001s')],
  [{ retryBackoff: -2 }, between('1ns', '5m0s', '-2ms')],
  [{ allowTTL: 1 }, between('1s', '30m0s', '1s')],
  [{ allowTTL: 1801 }, between('1s', '30m0s', '30m1s')],
  [{ denyTTL: 1 }, between('1s', '30m0s', '1s')],
  [{ denyTTL: 1801 }, between('1s', '30m0s', '30m1s')],
])('an image policy of %j', (said, read) => {
  expect(imagePolicy(said)).toEqual(read);
});

function eventLimits(...limits: readonly JsonObject[]): unknown {
  const apiVersion = 'eventratelimit.admission.k8s.io/v1alpha1';
  const reading = readEventLimits(JSON.stringify({ apiVersion, kind: 'Configuration', limits }));
  return reading.ok ? reading.value : reading.error;
}

const fine = { type: 'User', qps: 1, burst: 1, cacheSize: 1 };

// Source: kubernetes plugin/pkg/admission/eventratelimit/apis/eventratelimit/validation/validation_test.go
test.each<[limit: JsonObject, read: unknown]>([
  [fine, [fine]],
  [{ ...fine, cacheSize: 0 }, [{ ...fine, cacheSize: 4096 }]],
  [{ ...fine, type: 'Server', cacheSize: -1 }, [{ ...fine, type: 'Server', cacheSize: -1 }]],
  [{ ...fine, type: 'SourceAndObject' }, [{ ...fine, type: 'SourceAndObject' }]],
  [{ ...fine, burst: 0 }, 'limits[0].burst: Invalid value: 0: must be positive'],
  [{ ...fine, burst: -1 }, 'limits[0].burst: Invalid value: -1: must be positive'],
  [{ ...fine, qps: 0 }, 'limits[0].qps: Invalid value: 0: must be positive'],
  [{ ...fine, cacheSize: -1 }, 'limits[0].cacheSize: Invalid value: -1: must not be negative'],
  [
    { ...fine, type: 'Pod' },
    'limits[0].type: Unsupported value: "Pod": supported values: "Server", "Namespace", "User", "SourceAndObject"',
  ],
  [
    { ...fine, burst: 0, qps: 0 },
    '[limits[0].burst: Invalid value: 0: must be positive, limits[0].qps: Invalid value: 0: must be positive]',
  ],
])('a limit of events of %j', (limit, read) => {
  expect(eventLimits(limit)).toEqual(read);
});

test('errors of limits name their index, and one limit is required', () => {
  expect(eventLimits(fine, { ...fine, qps: 0 })).toBe('limits[1].qps: Invalid value: 0: must be positive');
  expect(eventLimits()).toBe('limits: Invalid value: []: must not be empty');
  expect(readEventLimits(undefined)).toEqual({ ok: false, error: 'limits: Invalid value: null: must not be empty' });
  expect(readImagePolicy(undefined, files)).toEqual({ ok: false, error: 'no config specified' });
});
