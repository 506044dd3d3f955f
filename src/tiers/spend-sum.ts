/**
 * Returns SQL of a sum of spends as a bigint, 0 for none. A sum beyond what a bigint holds counts as the largest there is: it meets any
 * requirement, and the customer whose orders say so is no reason to stop the check of everybody else.
 * @param sum the aggregate or a column of it
 */
export function spendSum(sum: string): string {
  return `least(coalesce(${sum}, 0), 9223372036854775807)::bigint`;
}
