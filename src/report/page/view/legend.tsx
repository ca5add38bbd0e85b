import type { VNode } from 'preact';
import { RULINGS } from '../../../spec/rulings.ts';
import { knownAbout } from '../../../requirements/catalogue.ts';
import { plural } from '../../../text/text.ts';
import { isJudged } from '../../model/status.ts';
import { OUTCOMES, type Outcome } from '../../model/results.ts';
import type { PageData } from '../page-data.ts';
import type { OfResults } from './parts.tsx';
import { Badge, Facts, outcomeCounts, requirementLinks, statement } from './parts.tsx';

const MEANINGS: Readonly<Record<Outcome, string>> = {
  passed: 'judged, no findings',
  failed: 'the target violates a stated rule',
  warned: 'the target deviates from what the specification implies',
  observed: 'the specification is silent; the behaviour is recorded and never fails',
  inconclusive: 'could not be judged: a control, the target or the network failed',
  untested: 'a key, a fixture, data or time is missing, or the requirement was not selected',
  waived: 'accepted in the waiver file',
  error: 'a bug in Assay; please report it',
};

function Decided({ results, ruling }: OfResults & { ruling: number }): VNode {
  const own = results.requirements.filter(
    (one) => isJudged(one) && knownAbout(one.id).rulings?.includes(ruling) === true,
  );
  if (own.length === 0) return <small>not applied in this run</small>;
  const against = own.filter(({ outcome }) => outcome === 'failed' || outcome === 'warned');
  return (
    <small>
      {`applied to ${plural(own.length, 'requirement')}: ${outcomeCounts(own)}`}
      {against.length > 0 && ['; violated or warned: ', requirementLinks(against, 8)]}
    </small>
  );
}

/** Terms of the report, verdicts and rulings. */
export function Legend({ results, data }: OfResults & { data: PageData }): VNode {
  return (
    <>
      <Facts
        rows={[
          ...OUTCOMES.map((one) => [<Badge outcome={one} />, MEANINGS[one]] as const),
          ['must', 'stated by the specification; a violation fails the run'],
          ['should', 'follows from a stated meaning; a deviation is a warning'],
          [
            'observe',
            'the specification is silent or contradicts itself; behaviour is recorded and never fails',
          ],
          [
            'control',
            'a request that differs from a refused one in a single parameter and succeeds; without it, only a refusal with status 401 or a code about keys proves something',
          ],
        ]}
      />
      <h3 id="proof">Why a pass can be trusted</h3>
      <p>{data.proof.sentence}</p>
      <p>
        A refusal counts only when its control succeeds, or when its status 401 or code is about the
        key. What could not be judged never counts as a pass.
      </p>
      <h3 id="verdict">Verdict</h3>
      <p>The first that applies:</p>
      <Facts
        rows={[
          ['violates', 'a must is violated'],
          [
            'incomplete',
            'a must could not be judged, the run was interrupted, or nothing was verified',
          ],
          [
            'conforms',
            'every must is verified, waived, or untested because the target has no data for it today',
          ],
          ['no violation found', 'all other runs: some musts were not verified'],
        ]}
      />
      <h3 id="rulings">Rulings</h3>
      <p>How ambiguous clauses are judged.</p>
      <ol class="rulings">
        {Object.entries(RULINGS).map(([number, ruling]) => (
          <li>
            {statement(ruling)} <Decided results={results} ruling={Number(number)} />
          </li>
        ))}
      </ol>
    </>
  );
}
