/** Said where the expressions of a list have used up what they have together. Follows apiserver pkg/admission/plugin/cel/activation.go. */
export const outOfBudget =
  'validation failed due to running out of cost budget, no further validation rules will be run';
