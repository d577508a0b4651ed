import { Body, Controller, Module, Post } from "@nestjs/common"
import type { OnApplicationShutdown } from "@nestjs/common"
import { paymux } from "./paymux.mts"

@Controller("orders")
class Orders {
  @Post()
  create(@Body() { item }: { item: string }) {
    return { ordered: item }
  }
}

@Module({ controllers: [Orders] })
export class Shop implements OnApplicationShutdown {
  /** Nest calls it when its server is closed. */
  onApplicationShutdown() {
    return paymux.close()
  }
}
