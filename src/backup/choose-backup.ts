import type { ObjectStoreAccess } from "../object-store/object-place.ts";
import { CLOCK_SLACK } from "../time/is-ahead.ts";
import { openBackupPlace, pathBelow, placePath, splitPath } from "./backup-place.ts";
import { BackupError, MANIFEST_NAME, type Manifest, NoBackupError, parseManifest } from "./manifest.ts";

/** A complete backup in the folder of scheduled backups. */
export interface FoundBackup {
  readonly name: string;
  readonly path: string;
  readonly manifest: Manifest;
}

const SCHEDULED = /^pointkeeper-\d{8}T\d{6}Z$/;

/** The name of a scheduled backup: `pointkeeper-20260301T093000Z`. */
export function scheduledName(at: Temporal.Instant): string {
  return `pointkeeper-${at.round("second").toString().replace(/[-:]/g, "")}`;
}

/** Whether a scheduled backup was named by a clock that was ahead. */
export function isNamedAhead({ name }: Pick<FoundBackup, "name">, now: Temporal.Instant): boolean {
  return name > scheduledName(now.add(CLOCK_SLACK));
}

/** A scheduled backup whose manifest cannot be used, or read for now. */
export interface DamagedBackup {
  readonly name: string;
  readonly path: string;
  /** What is wrong, as a sentence that names the backup. */
  readonly says: string;
  /** Whether the place lists the manifest and denies it, perhaps only for now. */
  readonly isDenied: boolean;
}

/** What a folder of scheduled backups holds, the oldest first. */
interface Scheduled {
  readonly complete: readonly FoundBackup[];
  readonly damaged: readonly DamagedBackup[];
}

/** Reads the manifests of a folder of scheduled backups. One that is damaged does not keep the others from being found. */
export async function readScheduled(dir: string, access: ObjectStoreAccess | null = null): Promise<Scheduled> {
  const place = openBackupPlace(dir, access);
  const names = (await place.names("")).filter(isScheduledName).sort();
  const complete: FoundBackup[] = [];
  const damaged: DamagedBackup[] = [];
  for (const name of names) {
    const path = pathBelow(place.path, name);
    const text = await place.read(`${name}/${MANIFEST_NAME}`);
    if (text === null) {
      // a place that repairs itself, or a cache before it, may deny a file that it lists
      if ((await place.names(name)).includes(MANIFEST_NAME))
        damaged.push({ name, path, says: deniedText(path), isDenied: true });
      continue;
    }
    try {
      complete.push({ name, path, manifest: parseManifest(text.toString("utf8"), path) });
    } catch (error) {
      if (!(error instanceof BackupError)) throw error;
      damaged.push({ name, path, says: error.message, isDenied: false });
    }
  }
  return { complete, damaged };
}

function deniedText(path: string): string {
  return `${MANIFEST_NAME} of ${path} is listed there, but its place answers that there is none. Try again later, or use another backup.`;
}

/** Returns the complete backups of a folder of scheduled backups, the oldest first. */
export async function listScheduled(
  dir: string,
  access: ObjectStoreAccess | null = null,
): Promise<readonly FoundBackup[]> {
  return (await readScheduled(dir, access)).complete;
}

/** Whether something has the name of a scheduled backup. */
export function isScheduledName(name: string): boolean {
  return SCHEDULED.test(name);
}

/** What is restored: a backup, and whether the log archived after it is replayed. */
export interface ChosenBackup {
  readonly path: string;
  /** The folder of the archived log; null: the backup is restored without it. */
  readonly logFrom: string | null;
}

/**
 * Chooses what `restore` restores from a path. For one backup: that backup, with the archived log only where `to` is given. For a folder of
 * scheduled backups: the newest one before `to`, with all of the log up to `to`.
 * @throws BackupError where there is none, where there are those of several stores, or where it is not certain which one is the newest and the log
 * does not make up for it
 */
export async function chooseBackup(
  path: string,
  to: Temporal.Instant | undefined,
  access: ObjectStoreAccess | null,
): Promise<ChosenBackup> {
  const place = placePath(path);
  const isOne = place.endsWith(".tar") || (await openBackupPlace(place, access).read(MANIFEST_NAME)) !== null;
  if (isOne) return { path: place, logFrom: to === undefined ? null : splitPath(place).parent };
  const { complete, damaged } = await readScheduled(place, access);
  assertOneStore(place, complete);
  const fitting = complete.filter(
    ({ manifest }) =>
      to === undefined ||
      (manifest.kind === "physical" && Temporal.Instant.compare(Temporal.Instant.from(manifest.endedAt), to) <= 0),
  );
  const newest = fitting.at(-1);
  assertNoneNewer(damaged, newest, to);
  if (to === undefined) assertNotAhead(newest);
  if (newest !== undefined) return { path: newest.path, logFrom: newest.manifest.kind === "physical" ? place : null };
  if (to === undefined || complete.length === 0)
    throw new NoBackupError(
      `${place} holds no complete backup: neither ${MANIFEST_NAME} nor a folder pointkeeper-<time>.`,
    );
  throw new BackupError(
    `${place} holds no physical backup that was complete before ${to.toString()}: a restore to a time needs one, and the log archived since (POINTKEEPER_BACKUP_LOG).`,
  );
}

/** Two stores whose settings name the same place by mistake: the newest backup may be the other one's. */
function assertOneStore(place: string, complete: readonly FoundBackup[]): void {
  const stores = new Set(complete.flatMap(({ manifest: { store } }) => store ?? []));
  if (stores.size > 1)
    throw new BackupError(
      `${place} holds backups of ${stores.size} stores. Name the backup to restore by its own path.`,
    );
}

/** Throws if a newer backup is damaged, because the restored state would be older. A physical backup is exempt: the archived log brings the rest. */
function assertNoneNewer(
  damaged: readonly DamagedBackup[],
  chosen: FoundBackup | undefined,
  to: Temporal.Instant | undefined,
): void {
  if (chosen?.manifest.kind === "physical") return;
  const newer = damaged.findLast(({ name }) => chosen === undefined || name > chosen.name);
  if (newer === undefined || (to !== undefined && chosen !== undefined)) return;
  const instead = chosen === undefined ? "" : ` The newest complete one is ${chosen.path}: name it to restore it.`;
  throw new BackupError(`${newer.says}${instead}`);
}

/** Throws if a clock that was ahead gave the backup a later name than those made since. A physical backup is exempt: the log brings the rest. */
function assertNotAhead(newest: FoundBackup | undefined): void {
  if (newest === undefined || newest.manifest.kind === "physical") return;
  if (!isNamedAhead(newest, Temporal.Now.instant())) return;
  throw new BackupError(
    `${newest.path} is later than this machine's clock: either that, or the clock that named it, is wrong. Name the backup to restore by its own path.`,
  );
}
