import type { Deps } from "../deps.ts";
import { readProgram } from "../program/read-program.ts";
import { createMemberSums, type MemberSums } from "./member-sums.ts";
import type { MemberMove } from "./move.ts";
import { readMembers } from "./read-members.ts";

/**
 * Reads a complete file and sums what it would import; changes nothing. `onRows`: called with the number of rows read. Throws UnreadableFileError.
 */
export async function surveyMove(
  deps: Pick<Deps, "db" | "clock">,
  move: MemberMove,
  onRows: (rows: number) => void = () => {},
): Promise<MemberSums> {
  const program = await readProgram(deps.db);
  const { store, coupons, tiers } = program;
  const counted = createMemberSums({ timeZone: store.timeZone, pointWorth: coupons.pointWorth, tiers: tiers.rules });
  let rows = 0;
  for await (const { members, faults, earlier } of readMembers(deps, move)) {
    rows += members.length + faults.length;
    onRows(rows);
    counted.addEarlier(earlier);
    for (const member of members) counted.add(member);
    for (const ofRow of faults) counted.addFaults(ofRow);
  }
  return counted.sums();
}
