import type { Program } from "./program.ts";

/** What people call a bonus collection: the name that the first of the programs has for it, or its id if none has one. */
export function collectionName(collectionId: string, ...programs: readonly Program[]): string {
  const bonuses = programs.flatMap(({ earning }) => earning.bonusCollections);
  return bonuses.find((bonus) => bonus.collectionId === collectionId && bonus.name !== null)?.name ?? collectionId;
}
