import { known } from './call.ts';
import type { Handler, Handlers } from './call.ts';

const projectList: Handler = (call) => call.world.fundraisingProjects(call.now);

const projectDetail: Handler = (call) => {
  const project = call.world.fundraisingProject(call.path['project_id'] ?? '', call.now);
  return known(project, 'Project', call, 'project_id', '/fundraising/projects');
};

/** Which handler answers which endpoint. */
export const PROJECTS = {
  '/fundraising/projects': projectList,
  '/fundraising/projects/{project_id}': projectDetail,
} as const satisfies Handlers;
