/** A program with its arguments, and the user it runs as (absent: that of the process). */
export interface ProgramCommand {
  readonly file: string;
  readonly args: readonly string[];
  readonly owner?: { readonly uid: number; readonly gid: number } | undefined;
}

/** Returns the options for every child process: a minimal environment (no secret, no locale of the caller) and a folder that every user may enter. */
export function spawnOptions(command: ProgramCommand) {
  return {
    cwd: "/",
    env: { PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", LC_ALL: "C", TZ: "UTC" },
    ...command.owner,
  };
}
