import type { TargetEnvironment } from './case.ts';

/** The sample with the address of the fuzzer's webhook, since names that do not resolve take time. */
export function withFuzzWebhook(sample: object, { webhook }: TargetEnvironment): object {
  const text = JSON.stringify(sample);
  if (!text.includes('"clientConfig"')) return sample;
  const clientConfig = JSON.stringify({ url: webhook.url, caBundle: webhook.caBundle });
  const made: unknown = JSON.parse(
    text.replace(/"clientConfig":\{[^}]*\}/g, () => `"timeoutSeconds":1,"clientConfig":${clientConfig}`),
  );
  return typeof made === 'object' && made !== null ? made : {};
}
