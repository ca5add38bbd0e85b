import { connect } from 'node:net';
import { inject } from 'vitest';
import type { Answer, Job, JobEnd } from './job.ts';

/**
 * Runs a program in a kept process. For what its words, files and exit codes are; signals, pipes and what the end of a
 * process is need one of their own.
 * @throws Error when it ends by an error that it does not catch
 */
export function runKept(job: Job): Promise<JobEnd> {
  return new Promise((resolve, reject) => {
    let text = '';
    const connection = connect(inject('keptPrograms'));
    connection.setEncoding('utf8');
    connection.on('error', reject);
    connection.on('data', (chunk: string) => (text += chunk));
    connection.on('end', () => {
      const answer = JSON.parse(text) as Answer;
      if ('ended' in answer) resolve(answer.ended);
      else reject(new Error(answer.error));
    });
    connection.write(`${JSON.stringify(job)}\n`);
  });
}
