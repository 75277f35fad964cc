import { asList, asObject, asString, type JsonObject } from '../json/json.ts';

/** A label selector as Go's protobuf code prints it. Follows apimachinery pkg/apis/meta/v1/generated.pb.go. */
export function goSelector(selector: JsonObject): string {
  const labels = Object.entries(asObject(selector['matchLabels'])).map(([key, value]) => `${key}: ${asString(value)},`);
  const expressions = asList(selector['matchExpressions']).map((one) => goRequirement(asObject(one)));
  return `&LabelSelector{MatchLabels:map[string]string{${labels.toSorted().join('')}},MatchExpressions:[]LabelSelectorRequirement{${expressions.join('')}},}`;
}

function goRequirement({ key, operator, values }: JsonObject): string {
  const texts = asList(values).map(asString).join(' ');
  return `LabelSelectorRequirement{Key:${asString(key)},Operator:${asString(operator)},Values:[${texts}],},`;
}
