import { type FieldError, internalFieldError, invalidValue } from '../../../machinery/meta/field-error.ts';

export interface FailedExpression {
  readonly error: string;
  readonly isInternal?: true;
}

/** Follows kubernetes pkg/apis/admissionregistration/validation/validation.go convertCELErrorToValidationError. */
export const expressionFault = (path: string, text: string, { error, isInternal }: FailedExpression): FieldError =>
  isInternal ? internalFieldError(path, error) : invalidValue(path, text, error);
