/**
 * Nothing that a test starts outlives it, however it ends: by itself, by a signal, by `kill -9`.
 *
 * A shell of its own session reads what this process says over a pipe. The end of the pipe, which the kernel brings
 * about whatever became of the writer, is its order to kill every group that is left and to remove every folder.
 * It knows numbers, never names, and a number is taken back as soon as its process was seen to end.
 */
import { type ChildProcess, spawn } from "node:child_process";
import type { Socket } from "node:net";

const script = `
trap '' INT TERM HUP
pids=
segments=
while IFS= read -r line; do
  case $line in
    "+"*) pids="$pids \${line#+}" ;;
    "-"*) left=
      for pid in $pids; do [ "$pid" = "\${line#-}" ] || left="$left $pid"; done
      pids=$left ;;
    "#"*) segments="$segments \${line#?}" ;;
    "/"*) set -- "$@" "$line" ;;
  esac
done
for pid in $pids; do kill -KILL "-$pid" 2>/dev/null; kill -KILL "$pid" 2>/dev/null; done
for segment in $segments; do ipcrm -m "$segment" 2>/dev/null; done
[ $# -eq 0 ] || rm -rf -- "$@"
`;

let shell: (ChildProcess & { readonly stdin: Socket }) | undefined;

/** Ends with this process unless released: the process, and the group that it leads. */
export function guard(pid: number): void {
  say(`+${pid}`);
}

/** To be called when the process was seen to end, since its number may then be given to another. */
export function release(pid: number): void {
  say(`-${pid}`);
}

/** A segment of System V shared memory. That it may be gone when this process ends is no matter: ids come once. */
export function guardSegment(id: number): void {
  say(`#${id}`);
}

/** A path made for one server; it is removed, with all that is in it, when this process has ended. */
export function guardPath(path: string): void {
  if (!path.startsWith("/") || path.includes("\n")) throw new Error(`not a path to guard: ${path}`);
  say(path);
}

function say(line: string): void {
  shell ??= start();
  shell.stdin.write(`${line}\n`);
}

function start(): ChildProcess & { readonly stdin: Socket } {
  const child = spawn("/bin/sh", ["-c", script, "tenure-guardian"], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
    cwd: "/",
  });
  child.unref();
  const stdin = child.stdin as Socket;
  stdin.unref();
  return Object.assign(child, { stdin });
}
