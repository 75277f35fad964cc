import { X509Certificate } from 'node:crypto';
import type { JsonObject } from '../../../machinery/json/json.ts';
import { pemBlocks } from '../../../machinery/go/pem.ts';
import type { EvaluateClaims } from '../../../apiserver/auth/jwt/user-of-claims.ts';
import type * as Engine from '../../../cel/index.ts';
import type { JwtChecks } from '../../compose/authentication/validate-jwt.ts';

type Cel = typeof Engine;

/** Ours: upstream has no limit. */
const costLimit = 1_000_000;

export const jwtChecks = (cel: Cel | undefined, disallowedIssuers: readonly string[]): JwtChecks => ({
  disallowedIssuers,
  expressionFault: (expression, variable, isRule) => {
    const compilation = cel?.compileClaimsExpression(expression, variable, isRule);
    return compilation?.outcome === 'failed' ? compilation.error : undefined;
  },
  usesClaim: (expression, claim) => cel !== undefined && usesClaim(expression, claim, cel),
  certificateFault,
});

/** Compiles each expression once. */
export function createClaimsEvaluator(cel: Cel | undefined): EvaluateClaims {
  const compilations = new Map<string, ReturnType<Cel['compileClaimsExpression']>>();
  return (expression, variable, value: JsonObject) => {
    if (!cel) return { ok: false, error: 'expressions are not available' };
    const key = `${variable} ${expression}`;
    const compilation = compilations.get(key) ?? cel.compileClaimsExpression(expression, variable, false);
    compilations.set(key, compilation);
    if (compilation.outcome === 'failed') return { ok: false, error: compilation.error };
    const shown = variable === 'claims' ? cel.claimsValue(value) : value;
    const result = cel.evaluate(compilation.compiled, (name) => (name === variable ? shown : undefined), { costLimit });
    if (result.outcome === 'error') return { ok: false, error: result.error };
    const json = cel.boundedJson(result.value);
    return json === undefined ? { ok: false, error: 'its value is too large' } : { ok: true, value: json };
  };
}

/** Whether it contains `claims.NAME` or `claims.?NAME`. Follows apiserver pkg/apis/apiserver/validation/validation.go hasSelectExp. */
function usesClaim(expression: string, claim: string, cel: Cel): boolean {
  const root = cel.parseExpression(expression);
  if (!root) return false;
  let isUsed = false;
  cel.walk(root, (part) => {
    isUsed ||= isClaim(part, claim);
  });
  return isUsed;
}

function isClaim(part: Engine.Expr, claim: string): boolean {
  if (part.type === 'select') return part.field === claim && isClaims(part.operand);
  if (part.type !== 'call' || part.name !== '_?._') return false;
  const [operand, field] = part.args;
  const name = field?.type === 'constant' && field.constant.type === 'string' ? field.constant.value : undefined;
  return operand !== undefined && isClaims(operand) && name === claim;
}

const isClaims = (part: Engine.Expr): boolean => part.type === 'ident' && part.name === 'claims';

/** Follows client-go util/cert/pem.go NewPoolFromBytes. */
function certificateFault(pem: string): string | undefined {
  const blocks = [...pemBlocks(pem)].filter(({ type, hasHeaders }) => type === 'CERTIFICATE' && !hasHeaders);
  if (blocks.length === 0) return 'data does not contain any valid RSA or ECDSA certificates';
  for (const { base64 } of blocks) {
    try {
      void new X509Certificate(Buffer.from(base64, 'base64'));
    } catch {
      return 'x509: malformed certificate';
    }
  }
  return undefined;
}
