import { withoutRoundTripAnnotations } from '../convert/autoscaler-annotations.ts';
import { defaultMetrics } from '../convert/autoscaler-metrics.ts';
import { always, inside, structDefaults, unlessZero } from './struct-defaults.ts';
import type * as v1 from '../../types/generated/autoscaling-v1.ts';
import type * as v2 from '../../types/generated/autoscaling-v2.ts';
import type { HPAScalingRules, HorizontalPodAutoscalerBehavior } from '../../types/generated/autoscaling-v2.ts';

const scaleUp = structDefaults<HPAScalingRules>({
  stabilizationWindowSeconds: 0,
  selectPolicy: 'Max',
  policies: [
    { type: 'Pods', value: 4, periodSeconds: 15 },
    { type: 'Percent', value: 100, periodSeconds: 15 },
  ],
});
const scaleDown = structDefaults<HPAScalingRules>({
  selectPolicy: 'Max',
  policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }],
});

/** Follows kubernetes pkg/apis/autoscaling/v2/defaults.go SetDefaults_HorizontalPodAutoscaler. */
export const autoscalerV2 = structDefaults<v2.HorizontalPodAutoscaler>({
  metadata: inside(withoutRoundTripAnnotations),
  spec: always(
    structDefaults<v2.HorizontalPodAutoscalerSpec>({
      minReplicas: 1,
      metrics: unlessZero(defaultMetrics),
      behavior: inside(
        structDefaults<HorizontalPodAutoscalerBehavior>({
          scaleUp: always(scaleUp),
          scaleDown: always(scaleDown),
        }),
      ),
    }),
  ),
});

/** Follows kubernetes pkg/apis/autoscaling/v1/defaults.go SetDefaults_HorizontalPodAutoscaler. */
export const autoscalerV1 = structDefaults<v1.HorizontalPodAutoscaler>({
  spec: always(structDefaults<v1.HorizontalPodAutoscalerSpec>({ minReplicas: 1 })),
});
