/** A customer with orders in a sample. */
export interface SampledCustomer {
  /** Their orders in the sample. */
  readonly sampled: number;
  /** Their orders in all that the sample was taken from. */
  readonly orders: number;
}

/**
 * Estimates how many customers made all the orders of which `share` is the number divided by that of the sample. The number of customers in the sample
 * times `share` would count those with several orders several times; each sampled order stands for its part of its customer's.
 */
export function estimateCustomers(customers: readonly SampledCustomer[], share: number): number {
  const parts = customers.reduce((sum, { sampled, orders }) => sum + sampled / Math.max(sampled, orders), 0);
  return Math.max(customers.length, Math.round(parts * share));
}
