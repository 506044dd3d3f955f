/** A program with its arguments, and the user it runs as (the process's own when absent). */
export interface ProgramCommand {
  readonly file: string;
  readonly args: readonly string[];
  readonly owner?: { readonly uid: number; readonly gid: number } | undefined;
}

/** The options every child is spawned with: a plain environment (no secret, no locale of the caller) and a folder anyone may enter. */
export function spawnOptions(command: ProgramCommand) {
  return {
    cwd: "/",
    env: { PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", LC_ALL: "C", TZ: "UTC" },
    ...command.owner,
  };
}
