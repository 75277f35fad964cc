import {
  validateOptionalEnum,
  validateText,
  validateRequiredText,
  each,
  eachText,
  errorIf,
  type FieldErrors,
} from '../validation/field-rules.ts';
import { type FieldError, forbiddenField, invalidValue, notSupported } from '../../machinery/meta/field-error.ts';
import { asList, asObject, asString, valueAt, type JsonObject } from '../../machinery/json/json.ts';
import { dns1035Label, dns1123Subdomain } from '../../machinery/meta/names.ts';
import type { KubernetesObject } from '../../machinery/meta/object.ts';
import { isMissingImageReference } from '../validation/core/volumes.ts';
import { isAmbiguousAddress } from '../validation/core/ip-address.ts';
import { podSpecPaths, isSince, type Features } from './gated-fields.ts';
import type { Strategy } from './strategy.ts';

interface OlderCheck {
  /** The feature gate or first minor release of the current rule. */
  readonly since: string | number;
  readonly resources: readonly string[];
  /** Errors of the current rule to drop. */
  readonly without?: (error: FieldError) => boolean;
  /** Errors of the older rule. */
  readonly instead?: (object: KubernetesObject, resource: string) => FieldErrors;
  /** Errors of the older rule where the current one found these. */
  readonly insteadOf?: () => FieldErrors;
  /** The errors of the older rule come first. */
  readonly first?: true;
}

const podResources = Object.keys(podSpecPaths);

/** Checks each pod spec in an object. */
const checkPods =
  (check: (spec: JsonObject, path: string) => FieldErrors): NonNullable<OlderCheck['instead']> =>
  (object, resource) => {
    const path = podSpecPaths[resource] ?? 'spec';
    return check(asObject(valueAt(object, ...path.split('.'))), path);
  };

const hasDetail =
  (...details: readonly string[]): NonNullable<OlderCheck['without']> =>
  ({ detail }) =>
    details.includes(detail);

const olderChecks: readonly OlderCheck[] = [
  // kubernetes pkg/apis/core/validation/validation.go validateImageVolumeSource of 1.36: only Pods need the image.
  { since: 37, resources: podResources.filter((resource) => resource !== '/pods'), without: isMissingImageReference },
  // kubernetes pkg/apis/apps/validation/validation.go ValidateStatefulSetUpdate of 1.36.
  {
    since: 37,
    resources: ['apps/statefulsets'],
    without: ({ field, detail }) =>
      detail === 'field is immutable' &&
      /^spec\.(?:selector|volumeClaimTemplates|serviceName|podManagementPolicy)$/.test(field),
    insteadOf: () => [
      forbiddenField(
        'spec',
        "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden",
      ),
    ],
  },
  // kubernetes pkg/apis/networking/validation/validation.go of 1.36 shows the first port.
  {
    since: 37,
    resources: ['networking.k8s.io/networkpolicies'],
    without: hasDetail('must be greater than or equal to `port`'),
    instead: (policy) => {
      const { ingress, egress } = asObject(policy['spec']);
      return Object.entries({ ingress, egress }).flatMap(([list, items]) =>
        each(items, `spec.${list}`, ({ ports }, at) =>
          each(ports, `${at}.ports`, ({ port, endPort }, portAt) =>
            errorIf(typeof port === 'number' && Number(endPort ?? port) < port, () =>
              invalidValue(`${portAt}.endPort`, port ?? 0, 'must be greater than or equal to `port`'),
            ),
          ),
        ),
      );
    },
  },
  // kubernetes pkg/registry/autoscaling/horizontalpodautoscaler/strategy.go
  {
    since: 'HPAScaleToZero',
    resources: ['autoscaling/horizontalpodautoscalers'],
    first: true,
    without: ({ field, detail }) => field === 'spec.minReplicas' && detail === 'must be greater than or equal to 0',
    instead: (autoscaler) => {
      const { minReplicas } = asObject(autoscaler['spec']);
      return errorIf(Number(minReplicas ?? 1) < 1, () =>
        invalidValue('spec.minReplicas', minReplicas ?? 0, 'must be greater than or equal to 1'),
      );
    },
  },
  {
    since: 'StrictIPCIDRValidation',
    resources: [
      ...podResources,
      '/services',
      '/endpoints',
      '/nodes',
      'discovery.k8s.io/endpointslices',
      'networking.k8s.io/ingresses',
      'networking.k8s.io/networkpolicies',
    ],
    without: isAmbiguousAddress,
  },
  {
    since: 'RelaxedServiceNameValidation',
    resources: ['networking.k8s.io/ingresses'],
    without: ({ field }) => backendNameRegex.test(field),
    instead: (ingress) => {
      const { defaultBackend, rules } = asObject(ingress['spec']);
      return [
        ...validateBackendName(asObject(defaultBackend), 'spec.defaultBackend'),
        ...each(rules, 'spec.rules', ({ http }, at) =>
          each(asObject(http)['paths'], `${at}.http.paths`, ({ backend }, pathAt) =>
            validateBackendName(asObject(backend), `${pathAt}.backend`),
          ),
        ),
      ];
    },
  },
  {
    since: 'PreferSameTrafficDistribution',
    resources: ['/services'],
    without: ({ field }) => field === 'spec.trafficDistribution',
    instead: (service) =>
      validateOptionalEnum('spec.trafficDistribution', asObject(service['spec'])['trafficDistribution'], [
        'PreferClose',
      ]),
  },
  {
    since: 'VolumeAttributesClass',
    resources: ['/resourcequotas'],
    instead: (quota) => {
      const { scopeSelector, scopes } = asObject(quota['spec']);
      const path = 'spec.scopeSelector.matchExpressions.scopeName';
      const unknown = (scope: string, field: string): FieldErrors =>
        errorIf(scope === 'VolumeAttributesClass', () => invalidValue(field, scope, 'unsupported scope'));
      return [
        ...asList(scopes).flatMap((scope) => unknown(asString(scope), 'spec.scopes')),
        ...asList(asObject(scopeSelector)['matchExpressions']).flatMap((one) =>
          unknown(asString(asObject(one)['scopeName']), path),
        ),
      ];
    },
  },
  {
    since: 'PodLifecycleSleepActionAllowZero',
    resources: podResources,
    without: ({ field, detail }) => field.endsWith('.sleep') && detail.startsWith('must be non-negative and less than'),
    instead: checkPods((spec, path) => {
      const max = Number(spec['terminationGracePeriodSeconds'] ?? Number.POSITIVE_INFINITY);
      const text = `must be greater than 0 and less than terminationGracePeriodSeconds (${max}). Enable AllowPodLifecycleSleepActionZeroValue feature gate for zero sleep.`;
      return containerLists.flatMap((list) =>
        each(spec[list], `${path}.${list}`, ({ lifecycle }, at) =>
          ['postStart', 'preStop'].flatMap((hook) => {
            const sleep = asObject(asObject(lifecycle)[hook])['sleep'];
            const seconds = Number(asObject(sleep)['seconds'] ?? 0);
            return errorIf(sleep !== undefined && (seconds <= 0 || seconds > max), () =>
              invalidValue(`${at}.lifecycle.${hook}.sleep`, seconds, text),
            );
          }),
        ),
      );
    }),
  },
  {
    since: 'RelaxedDNSSearchValidation',
    resources: podResources,
    without: ({ field }) => /\.dnsConfig\.searches\[\d+\]$/.test(field),
    instead: checkPods(({ dnsConfig }, path) =>
      eachText(asObject(dnsConfig)['searches'], `${path}.dnsConfig.searches`, (search, at) =>
        validateText(dns1123Subdomain, at, search.replace(/\.$/, '')),
      ),
    ),
  },
  {
    since: 'MatchLabelKeysInPodTopologySpreadSelectorMerge',
    resources: podResources,
    without: hasDetail('exists in both matchLabelKeys and labelSelector'),
    instead: checkPods(({ topologySpreadConstraints }, path) =>
      each(topologySpreadConstraints, `${path}.topologySpreadConstraints`, ({ matchLabelKeys, labelSelector }, at) => {
        const { matchLabels, matchExpressions } = asObject(labelSelector);
        const selected = new Set([
          ...Object.keys(asObject(matchLabels)),
          ...asList(matchExpressions).map((item) => asString(asObject(item)['key'])),
        ]);
        return eachText(matchLabelKeys, `${at}.matchLabelKeys`, (key, keyAt) =>
          errorIf(selected.has(key), () => invalidValue(keyAt, key, 'exists in both matchLabelKeys and labelSelector')),
        );
      }),
    ),
  },
  // kubernetes pkg/apis/core/validation/validation.go of 1.33 and 1.34: restart policies of containers that are no sidecars.
  {
    since: 34,
    resources: podResources,
    instead: checkPods((spec, path) => [
      ...each(spec['containers'], `${path}.containers`, ({ restartPolicy }, at) =>
        errorIf(restartPolicy !== undefined, () =>
          forbiddenField(`${at}.restartPolicy`, 'may not be set for non-init containers'),
        ),
      ),
      ...each(spec['initContainers'], `${path}.initContainers`, ({ restartPolicy }, at) =>
        errorIf(restartPolicy !== undefined && restartPolicy !== 'Always', () =>
          notSupported(`${at}.restartPolicy`, asString(restartPolicy), ['Always']),
        ),
      ),
    ]),
    without: ({ field, type }) =>
      type === 'FieldValueNotSupported' && /[cC]ontainers\[\d+\]\.restartPolicy$/.test(field),
  },
  // The same file of 1.35 and 1.36.
  {
    since: 36,
    resources: podResources,
    without: hasDetail("must not be set to 'RestartContainer' for non-sidecar initContainers"),
  },
  // Of 1.33 and 1.34.
  {
    since: 34,
    resources: podResources,
    without: ({ field, detail }) => field.endsWith('.volumeDevices') && detail === 'when `hostUsers` is false',
  },
];

const containerLists = ['initContainers', 'containers'];
const backendNameRegex = /^spec\.(?:defaultBackend|rules\[\d+\]\.http\.paths\[\d+\]\.backend)\.service\.name$/;

const validateBackendName = ({ service }: JsonObject, path: string): FieldErrors => {
  const [field, name] = [`${path}.service.name`, asString(asObject(service)['name'])];
  if (service === undefined) return [];
  return validateRequiredText(dns1035Label, field, name);
};

export const gatesOfOlderChecks: readonly string[] = olderChecks.flatMap(({ since }) =>
  typeof since === 'string' ? [since] : [],
);

/** Existing errors are tolerated on update. */
export function withOlderChecks(strategy: Strategy, resource: string, features: Features): Strategy {
  const own = olderChecks.filter(({ since, resources }) => resources.includes(resource) && !isSince(features, since));
  if (own.length === 0) return strategy;
  const applyRows = (errors: FieldErrors, object: KubernetesObject, old?: KubernetesObject): FieldErrors => {
    const results = own.map(({ first, without, instead, insteadOf }) => {
      const dropped = errors.filter((error) => without?.(error));
      const isTolerated = old !== undefined && (instead?.(old, resource) ?? []).length > 0;
      const errorsOfRow = [
        ...(isTolerated ? [] : (instead?.(object, resource) ?? [])),
        ...(dropped.length > 0 ? (insteadOf?.() ?? []) : []),
      ];
      return { first, errorsOfRow };
    });
    return [
      ...results.filter(({ first }) => first).flatMap(({ errorsOfRow }) => errorsOfRow),
      ...errors.filter((error) => !own.some(({ without }) => without?.(error))),
      ...results.filter(({ first }) => !first).flatMap(({ errorsOfRow }) => errorsOfRow),
    ];
  };
  return {
    ...strategy,
    validate: (object, ...faults) => applyRows(strategy.validate(object, ...faults), object),
    validateUpdate: (object, old, ...rest) => applyRows(strategy.validateUpdate(object, old, ...rest), object, old),
  };
}
