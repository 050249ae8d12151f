import type { Example } from '../works.js';

export const researchExample: Example<'research'> = {
  goal: 'Should the city replace night bus line N4 with on-demand shuttles? Compare waiting times, cost per passenger, unserved requests and accessibility between the fixed line and the pilot. All six sources are constructed for illustration; they describe no real city.',
  work: {
    kind: 'research',
    sources: [
      {
        id: 'operator_report',
        title: 'Shuttle operator: final report on the twelve-week pilot (constructed for illustration)',
        text: 'The pilot ran for twelve weeks with eight shuttles between 23:00 and 05:00. The operator counted 14,310 completed trips and a median waiting time of 9 minutes. The cost per passenger was 11.80 euros, which the operator calls lower than that of line N4. Of all requests, 4 percent were declined because no vehicle was free. Passengers rated the service 4.6 out of 5. The report recommends that line N4 be closed at the end of the season.',
      },
      {
        id: 'audit',
        title: "City audit office: review of the pilot's accounts (constructed for illustration)",
        text: "The audit recomputed the cost per passenger as 16.40 euros. The operator's figure of 11.80 euros leaves out vehicle leasing and the call centre, which together came to 65,800 euros over twelve weeks. On the same basis line N4 cost 13.90 euros per passenger in the twelve weeks before the pilot. The audit confirms the number of completed trips to within 40. It could not confirm the rate of declined requests, because requests abandoned in the app before an answer were not kept.",
      },
      {
        id: 'line_counts',
        title: 'Transport authority: passenger counts on line N4 (constructed for illustration)',
        text: 'Line N4 carried 1,540 passengers a week on average before the pilot and 610 a week while it ran. Every bus departed at 30-minute intervals, so a passenger who arrived at random waited 15 minutes on average. Counts on Fridays and Saturdays were three times those of other nights. On the two nights of the harbour festival the line carried 2,900 passengers; a fleet of eight shuttles could not have carried a third of them. The authority expects that 400 of the weekly passengers would have no substitute if the line were closed.',
      },
      {
        id: 'app_log',
        title: 'University group: analysis of the request log (constructed for illustration)',
        text: 'The group obtained the log of 19,870 requests under an agreement with the operator. Of these, 11 percent received no offer within five minutes and are counted here as unserved. The operator reports 4 percent because it counts only explicit refusals. The median waiting time was 9 minutes, but the 90th percentile was 31 minutes and on Saturdays 44 minutes. Requests from the eastern districts waited twice as long as those from the centre. The log ends nine days before the pilot did.',
      },
      {
        id: 'access_panel',
        title: 'Accessibility panel: observations and interviews (constructed for illustration)',
        text: 'Two of the eight shuttles had a ramp. Panel members who use a wheelchair made 26 test requests; 15 were served, with a median waiting time of 38 minutes. Buses on line N4 are all step-free. Of 120 interviewed passengers, 34 had no smartphone and booked by telephone, where the call centre answered after 6 minutes on average. The panel would accept a replacement only with ramps on every vehicle and a telephone line that answers within one minute.',
      },
      {
        id: 'drivers',
        title: 'Works council: statement on shifts and safety (constructed for illustration)',
        text: 'Drivers on the pilot drove 38 percent of their kilometres without a passenger. The works council recorded three assaults during the pilot and none on line N4 in the same weeks. It notes that 4,200 of the 14,310 trips were under one kilometre and replaced walking, not the bus. Closing line N4 would end nine permanent positions. No decision on the positions has been taken.',
      },
    ],
  },
  seed: 14,
};
