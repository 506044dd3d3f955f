/** The room on a disk. */
export interface DiskRoom {
  readonly freeBytes: number;
  readonly sizeBytes: number;
  /** How many new files it takes; null: its number of files is not fixed. */
  readonly freeFiles: number | null;
}

/** What a system says of the disk of a folder. */
export type FileSystemFigures = Readonly<Record<"bavail" | "bsize" | "blocks" | "files" | "ffree", number>>;

export function roomOf({ bavail, bsize, blocks, files, ffree }: FileSystemFigures): DiskRoom {
  return {
    freeBytes: bavail * bsize,
    sizeBytes: blocks * bsize,
    freeFiles: files > 0 ? ffree : null, // a file system without a fixed number of files has none
  };
}

/** The room on the disk of the scheduled backups and the archived log. */
export interface BackupRoom extends DiskRoom {
  readonly dir: string;
  /** What the newest scheduled backup takes: the next one is written before an older one is removed. 0: there is none. */
  readonly neededBytes: number;
}

/**
 * What is found of the room for the scheduled backups and the archived log. `none`: none are made, or they go into a bucket. `unknown`: their folder
 * cannot be read now, its file system gives no figures, the newest backup is not there, as where its disk is not mounted, or a backup is being made, which
 * takes up room of its own until older ones are removed.
 */
export type FoundBackupRoom = BackupRoom | "none" | "unknown";

/** What a disk lacks, the most severe first. `low` is the time to act: with the others, changes are refused soon. */
export const DISK_STATES = ["few_files", "full", "low"] as const;
export type DiskState = (typeof DISK_STATES)[number];

/** A disk that lacks something. */
export interface DiskNotice extends DiskRoom {
  readonly state: DiskState;
  /** With those that are not over yet. */
  readonly states: readonly DiskState[];
}

const GIBIBYTE = 2 ** 30;
/**
 * Of a small disk a share counts: a volume of 3 GiB is not low on room from its first day on. The rules in ops/prometheus have the same limits.
 */
export const DISK_LIMITS = {
  low: { bytes: 5 * GIBIBYTE, share: 0.2 },
  full: { bytes: GIBIBYTE / 2, share: 0.1 },
  fewFiles: 1_000,
} as const;
/** A state is over with this multiple of its limit, so that a disk at the limit does not begin and end it again and again. */
const OVER_FACTOR = 1.5;
/** The next backup is little larger than the newest one: with so much room it fits. */
const NEXT_BACKUP_FACTOR = 1.1;

/** Returns the number of free bytes below which a disk of this size counts as full. */
export function fullLimit(sizeBytes: number): number {
  return limitOf(DISK_LIMITS.full, sizeBytes);
}

function limitOf({ bytes, share }: { readonly bytes: number; readonly share: number }, sizeBytes: number): number {
  return sizeBytes === 0 ? bytes : Math.min(bytes, sizeBytes * share); // 0: unknown, or no disk
}

/** Returns the notice of a disk; null: it has room. `open`: the states that began and are not over. */
export function diskNotice(room: DiskRoom, open: readonly DiskState[] = []): DiskNotice | null {
  const { freeBytes, sizeBytes, freeFiles } = room;
  const isBelow = (free: number, limit: number, state: DiskState) =>
    free < limit * (open.includes(state) ? OVER_FACTOR : 1);
  const isFound: Readonly<Record<DiskState, boolean>> = {
    few_files: freeFiles !== null && isBelow(freeFiles, DISK_LIMITS.fewFiles, "few_files"),
    full: isBelow(freeBytes, fullLimit(sizeBytes), "full"),
    low: isBelow(freeBytes, limitOf(DISK_LIMITS.low, sizeBytes), "low"),
  };
  // a disk that is full is low, too, but that is worth no second notice unless it was low before
  const states = DISK_STATES.filter(
    (state) => isFound[state] && (state !== "low" || !isFound.full || open.includes("low")),
  );
  const [state] = states;
  return state === undefined ? null : { ...room, state, states };
}

/** Whether the next backup, or the log until then, may find no room. `isOpen`: this began and is not over. */
export function lacksBackupRoom({ freeBytes, sizeBytes, neededBytes }: BackupRoom, isOpen = false): boolean {
  const full = fullLimit(sizeBytes);
  if (!isOpen) return freeBytes < Math.max(neededBytes, full);
  return freeBytes < Math.max(neededBytes * NEXT_BACKUP_FACTOR, full * OVER_FACTOR);
}

/** Bytes in GiB with one decimal, rounded down. */
export function gibibytesOf(bytes: number): number {
  return Math.floor((bytes * 10) / GIBIBYTE) / 10;
}
