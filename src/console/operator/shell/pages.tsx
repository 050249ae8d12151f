/** The page that the address names. */
import { CreatePage } from '../create/page.js';
import { JournalPage } from '../journal/page.js';
import { DoctorPage } from '../journal/doctor.js';
import { ListPage } from '../missions/list.js';
import { MissionPage } from '../missions/page.js';
import { PaymentsPage } from '../payments/page.js';
import { PageTitle } from '../../kit/controls/pieces.js';
import { useWords } from '../text/words.js';
import { ToolPage } from '../tools/tool.js';
import { ToolsPage } from '../tools/page.js';
import { useRoute } from '../session/use-route.js';

export function Pages() {
  const route = useRoute();
  switch (route.page) {
    case 'missions':
      return <ListPage filters={route.filters} />;
    case 'mission':
      return <MissionPage key={route.id} id={route.id} />;
    case 'create':
      return <CreatePage kind={route.kind} />;
    case 'journal':
      return <JournalPage before={route.before} filters={route.filters} />;
    case 'payments':
      return <PaymentsPage cursor={route.cursor} />;
    case 'doctor':
      return <DoctorPage />;
    case 'tools':
      return <ToolsPage />;
    case 'tool':
      return <ToolPage key={route.id} id={route.id} />;
    case 'unknown':
      return <UnknownPage path={route.path} />;
  }
}

function UnknownPage({ path }: { readonly path: string }) {
  const { t } = useWords();
  return (
    <>
      <PageTitle title={t.shell.notFound} />
      <p>{t.shell.notFoundText(path)}</p>
      <p>
        <a href="#/missions">{t.shell.toMissions}</a>
      </p>
    </>
  );
}
