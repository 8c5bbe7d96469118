export { GET, POST } from '@/lib/http/next-auth';
