// Time and memory of programs and of what they start.
import { spawn } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';

/** Watches the peak resident memory of a process and of its children until `stop`; bytes. */
export function watched(pid) {
  const peaks = new Map();
  const look = (one) => {
    try {
      const found = readFileSync(`/proc/${one}/status`, 'utf8').match(/VmHWM:\s+(\d+) kB/);
      if (found) peaks.set(one, Number(found[1]) * 1024);
      for (const task of readdirSync(`/proc/${one}/task`)) {
        for (const other of readFileSync(`/proc/${one}/task/${task}/children`, 'utf8').split(' ').filter(Boolean)) look(other);
      }
    } catch {
      // It ended meanwhile; what was seen of it counts.
    }
  };
  const sampling = setInterval(() => look(pid), 5);
  return {
    stop() {
      clearInterval(sampling);
      look(pid);
      const own = peaks.get(pid) ?? 0;
      peaks.delete(pid);
      return { own, workers: Math.max(0, ...peaks.values()) };
    },
  };
}

/** Runs a program: seconds, and the peak memory of it and of the largest of its children. */
export async function measured(program, args, env = process.env) {
  const began = performance.now();
  const child = spawn(program, args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const memory = watched(child.pid);
  const code = await new Promise((done) => child.on('exit', done));
  const seconds = (performance.now() - began) / 1000;
  const { own, workers } = memory.stop();
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}`);
  return { seconds, own, workers };
}

export const mb = (bytes) => (bytes / 1e6).toFixed(0);
export const median = (all) => all.toSorted((a, b) => a - b)[all.length >> 1];
