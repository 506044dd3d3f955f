/** An earning rate: `points` for each 100 yen. */
export interface EarningRate {
  readonly points: bigint;
  /** In addition, for products of the bonus collection. */
  readonly bonus: bigint;
  readonly excludesTagged: boolean;
}

/** The remainder of one line of an order: yen after discounts and refunds. */
export interface KeptLine {
  readonly amount: bigint;
  readonly isBonus: boolean;
  readonly isTagged: boolean;
}

const YEN_EACH = 100n;

/** The expected points of an order, computed independently of the service: both sums are rounded up, once for the whole order. */
export function pointsOf(lines: readonly KeptLine[], rate: EarningRate): bigint {
  const earning = lines.filter((line) => !(line.isTagged && rate.excludesTagged));
  const sum = (list: readonly KeptLine[]) => list.reduce((total, { amount }) => total + amount, 0n);
  return roundedUp(sum(earning) * rate.points) + roundedUp(sum(earning.filter(({ isBonus }) => isBonus)) * rate.bonus);
}

function roundedUp(hundredths: bigint): bigint {
  return (hundredths + YEN_EACH - 1n) / YEN_EACH;
}
